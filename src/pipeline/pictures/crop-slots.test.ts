import { describe, expect, test } from 'vitest'
import { chooseSlot, minWantedQuality, type View, viewAfter } from './crop-slots.ts'

const views = (...given: readonly (readonly [sinceMs: number, quality: number])[]): View[] =>
  given.map(([sinceMs, quality]) => ({ sinceMs, quality }))
const full = views([0, 10], [1000, 5], [2000, 20], [3000, 8], [4000, 12])

describe('chooseSlot', () => {
  test.each([
    { name: 'the first picture has the first slot', kept: [], at: 0, quality: 1, slot: 0 },
    { name: 'a better one of the same view takes its slot', kept: views([0, 10]), at: 900, quality: 12, slot: 0 },
    { name: 'a little better is not enough', kept: views([0, 10]), at: 900, quality: 11, slot: undefined },
    { name: 'another view has another slot, however bad', kept: views([0, 10]), at: 1000, quality: 1, slot: 1 },
    { name: 'a sixth takes the place of the worst', kept: full, at: 9000, quality: 6, slot: 1 },
    { name: 'a sixth that is no better is left out', kept: full, at: 9000, quality: 5.5, slot: undefined },
    { name: 'one of a known view never takes another’s place', kept: full, at: 2100, quality: 21, slot: undefined },
  ])('$name', ({ kept, at, quality, slot }) => {
    expect(chooseSlot(kept, at, quality)).toBe(slot)
    expect(quality > minWantedQuality(kept, at)).toBe(slot !== undefined)
  })
})

test('something that comes nearer all the time fills every slot, not one again and again', () => {
  const kept: View[] = []
  for (let at = 0; at < 8000; at += 100) {
    const quality = 1.05 ** (at / 100)
    const slot = chooseSlot(kept, at, quality)
    if (slot !== undefined) kept[slot] = viewAfter(kept[slot], at, quality)
  }
  expect(kept.map(({ sinceMs }) => sinceMs).sort()).toEqual([3000, 4000, 5000, 6000, 7000])
})
