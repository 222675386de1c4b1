import { expect, test } from 'vitest'
import { toRecordedLine } from './recorded-line.ts'

const stretch = { from: 100_000, to: 200_000 }
/** In seconds. */
const file = (start: number, end: number, gap: number | null = null) => ({
  startedAt: start * 1000,
  endedAt: end * 1000,
  gapMs: gap === null ? null : gap * 1000,
})

test.each([
  { name: 'nothing', files: [], recorded: [], gaps: [], seconds: 0 },
  { name: 'files that follow each other', files: [file(110, 120), file(120.5, 130)], recorded: [[110, 130]], gaps: [], seconds: 19.5 }, // prettier-ignore
  { name: 'a gap', files: [file(110, 120), file(121, 130)], recorded: [[110, 120], [121, 130]], gaps: [[120, 121]], seconds: 19 }, // prettier-ignore
  { name: 'what reaches out of it', files: [file(90, 110), file(190, 210)], recorded: [[100, 110], [190, 200]], gaps: [[110, 190]], seconds: 20 }, // prettier-ignore
  { name: 'what ends where it begins', files: [file(90, 100), file(150, 160)], recorded: [[150, 160]], gaps: [], seconds: 10 }, // prettier-ignore
  { name: 'a gap by a clock that was set, and nothing is missing', files: [file(110, 120, 0), file(150, 160, 0.1)], recorded: [[110, 160]], gaps: [], seconds: 20 }, // prettier-ignore
  { name: 'a clock that was set back', files: [file(110, 120), file(115, 125, 0)], recorded: [[110, 125]], gaps: [], seconds: 15 }, // prettier-ignore
])('$name', ({ files, recorded, gaps, seconds }) => {
  const line = toRecordedLine(files, stretch, 0)
  const places = (list: readonly { from: number; to: number }[]) => list.map(({ from, to }) => [from / 1000, to / 1000])
  expect([places(line.recorded), places(line.gaps), line.recordedMs / 1000]).toEqual([recorded, gaps, seconds])
})

test('gaps that are shorter than can be seen are none, but what was recorded is what was', () => {
  const line = toRecordedLine([file(110, 120), file(129, 140), file(150, 160)], stretch, 10_000)
  expect(line).toEqual({
    recorded: [
      { from: 110_000, to: 140_000 },
      { from: 150_000, to: 160_000 },
    ],
    gaps: [{ from: 140_000, to: 150_000 }],
    recordedMs: 31_000,
  })
})
