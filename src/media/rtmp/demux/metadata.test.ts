import { expect, test } from 'vitest'
import { findMetadata, readAnnouncedTracks } from './metadata.ts'

test.each([
  { name: 'both', metadata: { videocodecid: 7, audiocodecid: 10 }, announced: { video: true, audio: true } },
  { name: 'names', metadata: { videocodecid: 'avc1', audiocodecid: 'mp4a' }, announced: { video: true, audio: true } },
  { name: 'video alone', metadata: { width: 1280, videocodecid: 7 }, announced: { video: true, audio: false } },
  {
    name: 'an audio codec of 0',
    metadata: { videocodecid: 7, audiocodecid: 0 },
    announced: { video: true, audio: false },
  },
  { name: 'nothing', metadata: { encoder: 'x' }, announced: undefined },
])('metadata with $name', ({ metadata, announced }) => expect(readAnnouncedTracks(metadata)).toEqual(announced))

test('is found with and without @setDataFrame, and not where there is none', () => {
  const metadata = { width: 1 }
  expect(findMetadata(['@setDataFrame', 'onMetaData', metadata])).toBe(metadata)
  expect(findMetadata(['onMetaData', metadata])).toBe(metadata)
  expect(findMetadata(['onMetaData', 7])).toBeUndefined()
  expect(findMetadata(['onCuePoint', metadata])).toBeUndefined()
})
