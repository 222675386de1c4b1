import { expect, test } from 'vitest'
import { type FragmentIndex } from '../core/recorded-time.ts'
import { fragmentIndexFromJson, fragmentIndexToJson } from './fragment-json.ts'

const index: FragmentIndex = {
  init: 1252,
  initHash: '0123456789abcdef',
  codecs: 'avc1.64001f,mp4a.40.2',
  width: 1920,
  height: 1080,
  tracks: [
    { id: 1, kind: 'video', timescale: 90_000 },
    { id: 2, kind: 'audio', timescale: 48_000 },
  ],
  groups: [
    { ms: 0, byte: 3_300 },
    { ms: 2_000, byte: 457_123 },
    { ms: 4_040, byte: 901_000 },
  ],
  end: 1_300_000,
  mediaMs: 6_080,
}

test('an index comes back as it was written', () => {
  const json = fragmentIndexToJson(index)
  expect(fragmentIndexFromJson(json)).toEqual(index)
  expect(json.length).toBeLessThan(200)
})

test('an index of an earlier version says nothing of how long its samples take', () => {
  const { m: _, ...earlier } = JSON.parse(fragmentIndexToJson(index)) as { m: number }
  expect(fragmentIndexFromJson(JSON.stringify(earlier))).toEqual({ ...index, mediaMs: null })
  const json = fragmentIndexToJson({ ...index, mediaMs: null })
  expect(json).toBe(JSON.stringify(earlier))
})

const change = (part: object) => JSON.stringify({ ...(JSON.parse(fragmentIndexToJson(index)) as object), ...part })

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['another thing', '[]'],
  ['null', 'null'],
  ['a file without groups', change({ g: [] })],
  ['half a group', change({ g: [0, 3_300, 2_000] })],
  ['a group that goes back', change({ g: [0, 3_300, 2_000, -5] })],
  ['two groups at once', change({ g: [0, 3_300, 0, 100] })],
  ['a group inside the header', change({ g: [0, 3] })],
  ['a group behind the end', change({ g: [0, 2_000_000] })],
  ['a first group that is late', change({ g: [5, 3_300] })],
  ['no tracks', change({ t: [] })],
  ['sound alone', change({ t: [[1, 'a', 48_000]] })],
  ['a track without time', change({ t: [[1, 'v', 0]] })],
  ['a line of a playlist for a codec', change({ c: 'avc1"\n#EXT' })],
  ['samples that take less than nothing', change({ m: -1 })],
  ['a header of no size', change({ i: 1.5 })],
])('%s is no index', (_what, json) => expect(fragmentIndexFromJson(json)).toBeNull())
