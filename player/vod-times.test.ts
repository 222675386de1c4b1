import { expect, test } from 'vitest'
import { dateAt, piecesOf, placeOf } from './vod-times.js'

const T = Date.parse('2026-11-16T03:00:00.000Z')
/** Eight seconds, half an hour of nothing, four seconds. */
const pieces = piecesOf(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="../init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-11-16T03:00:00.000Z
#EXTINF:4.000,
a.m4s
#EXTINF:4.000,
b.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-11-16T03:30:00.000Z
#EXTINF:4.000,
c.m4s
#EXT-X-ENDLIST
`)

test('pieces follow each other in the playlist, whatever is missing between them', () => {
  expect(pieces).toEqual([
    { start: 0, duration: 4, programDateTime: T },
    { start: 4, duration: 4, programDateTime: T + 4_000 },
    { start: 8, duration: 4, programDateTime: T + 1_800_000 },
  ])
})

test.each([
  ['the first picture', 0, T],
  ['one in a later piece of a file', 6.5, T + 6_500],
  ['the first behind the gap', 8, T + 1_800_000],
  ['the first behind the gap, of a place that a browser has rounded', 7.9999995, T + 1_800_000],
  ['the last', 12, T + 1_804_000],
  ['the last again, behind the end', 12.5, T + 1_804_000],
  ['one before the beginning', -1, undefined],
])('%s is dated', (_what, seconds, expected) => {
  expect(dateAt(pieces, seconds)).toBe(expected)
})

test.each([
  ['a moment that was recorded', T + 6_500, 6.5],
  ['one behind the gap', T + 1_801_000, 9],
  ['one in the gap is what comes next', T + 60_000, 8],
  ['one before the beginning is the beginning', T - 1, 0],
  ['one behind the end is the end', T + 3_600_000, 12],
])('%s has its place', (_what, ms, expected) => {
  expect(placeOf(pieces, ms)).toBe(expected)
})

test('pieces that nobody has dated, as other playlists have them, and none at all', () => {
  const undated = piecesOf('#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n')
  expect(dateAt(undated, 1)).toBeUndefined()
  expect(placeOf(undated, T)).toBe(8)
  expect([dateAt([], 0), placeOf([], T)]).toEqual([undefined, 0])
})
