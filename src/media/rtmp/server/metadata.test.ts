import { expect, test } from 'vitest'
import { findMetadata, readPromises } from './metadata.ts'

test.each([
  { name: 'both', metadata: { videocodecid: 7, audiocodecid: 10 }, promises: { video: true, audio: true } },
  { name: 'names', metadata: { videocodecid: 'avc1', audiocodecid: 'mp4a' }, promises: { video: true, audio: true } },
  { name: 'video alone', metadata: { width: 1280, videocodecid: 7 }, promises: { video: true, audio: false } },
  {
    name: 'an audio codec of 0',
    metadata: { videocodecid: 7, audiocodecid: 0 },
    promises: { video: true, audio: false },
  },
  { name: 'nothing', metadata: { encoder: 'x' }, promises: undefined },
])('metadata with $name', ({ metadata, promises }) => expect(readPromises(metadata)).toEqual(promises))

test('is found with and without @setDataFrame, and not where there is none', () => {
  const metadata = { width: 1 }
  expect(findMetadata(['@setDataFrame', 'onMetaData', metadata])).toBe(metadata)
  expect(findMetadata(['onMetaData', metadata])).toBe(metadata)
  expect(findMetadata(['onMetaData', 7])).toBeUndefined()
  expect(findMetadata(['onCuePoint', metadata])).toBeUndefined()
})
