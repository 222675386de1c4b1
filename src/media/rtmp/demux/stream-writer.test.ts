import { describe, expect, test } from 'vitest'
import { createAudioTicks } from './stream-writer.ts'

describe('ticks of audio', () => {
  test('frames follow each other exactly, though milliseconds are rounded', () => {
    const toTicks = createAudioTicks(44_100, 1024)
    const ticks = Array.from({ length: 500 }, (_, index) => toTicks(Math.round((index * 1024 * 1000) / 44_100)))
    expect(ticks).toEqual(Array.from({ length: 500 }, (_, index) => index * 1024))
  })

  test('a gap stays a gap', () => {
    const toTicks = createAudioTicks(48_000, 1024)
    expect([0, 21, 43, 564].map(toTicks)).toEqual([0, 1024, 2048, 27_072])
  })

  test('time that runs slower than the samples is followed, and never goes back', () => {
    const toTicks = createAudioTicks(48_000, 1024)
    const ticks = Array.from({ length: 200 }, (_, index) => toTicks(index * 20))
    for (const [index, value] of ticks.entries()) if (index > 0) expect(value).toBeGreaterThan(ticks[index - 1]!)
    expect(Math.abs(ticks.at(-1)! - 199 * 20 * 48)).toBeLessThan(48 * 40)
  })
})
