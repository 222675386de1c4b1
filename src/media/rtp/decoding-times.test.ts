import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecodingTimes, reorderedFramesIn } from './decoding-times.ts'

const inFrames = (times: readonly number[]) => times.map((ticks) => ticks / 3000)

test('without reordering both times are the same', () => {
  expect([0, 3000, 6000].map(createDecodingTimes(0))).toEqual([0, 3000, 6000])
})

test('with B-frames decoding times rise evenly and stay behind', () => {
  const presentation = [0, 4, 2, 1, 3, 8, 6, 5, 7].map((frame) => frame * 3000)
  expect(inFrames(presentation.map(createDecodingTimes(2)))).toEqual([-2, -1, 0, 1, 2, 3, 4, 5, 6])
})

test('a stream that reorders more than it says is followed after a few pictures', () => {
  const presentation = Array.from({ length: 20 }, (_, group) =>
    [0, 4, 2, 1, 3].map((frame) => (group * 5 + frame) * 3000),
  )
  const decoding = presentation.flat().map(createDecodingTimes(0))
  const late = presentation.flat().map((ticks, index) => decoding[index]! - ticks)
  expect(Math.max(...late.slice(20))).toBeLessThanOrEqual(0)
})

test('times come after what was before', () => {
  expect([9000, 12_000].map(createDecodingTimes(2, 8000))).toEqual([8001, 8002])
})

test('rises, and never passes the presentation when the stream says the truth', () => {
  // A keyframe first, then always one of the next three that are left.
  const shuffled = fc.array(fc.nat(2), { maxLength: 60 }).map((picks) => {
    const waiting = picks.map((_, index) => (index + 1) * 3000)
    return [0, ...picks.map((pick) => waiting.splice(Math.min(pick, waiting.length - 1), 1)[0]!)]
  })
  fc.assert(
    fc.property(shuffled, (presentation) => {
      const overtakers = presentation.map(
        (ticks, index) => presentation.slice(0, index).filter((t) => t > ticks).length,
      )
      const decoding = presentation.map(createDecodingTimes(Math.max(...overtakers)))
      for (const [index, ticks] of decoding.entries()) {
        if (index > 0) expect(ticks).toBeGreaterThan(decoding[index - 1]!)
        expect(ticks).toBeLessThanOrEqual(presentation[index]!)
      }
    }),
  )
})

test.each([
  ['of H.264 with B-frames', 'h264', '674d4028eca03c0113f2e022000003000200000300781e30632c', 2],
  ['of H.264 in the baseline profile', 'h264', '6742c01ed900a02ff970110000030001000003003c0f162e48', 0],
  [
    'of H.265 with B-frames',
    'h265',
    '42010101600000030090000003000003005da00280802d165959a4932bc05a020000030002000003003c10',
    2,
  ],
  ['that are cut short', 'h264', '6764', undefined],
] as const)('parameter sets %s say how far pictures are reordered', (_what, codec, sps, frames) => {
  expect(reorderedFramesIn(codec, Buffer.from(`00000001${sps}`, 'hex'))).toBe(frames)
})
