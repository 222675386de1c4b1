import { expect, test } from 'vitest'
import { createSizeWatch } from './size-watch.ts'

/** Sizes of a group of pictures by place, as encoders make them where nothing happens: small after the keyframe, then growing. */
const GROUP = [200_000, 300, 900, 2_200, 5_800, 5_400, 5_000, 4_800, 4_500, 4_400]
/** Up to 5 %, always the same ones. */
const noise = (at: number) => 1 + 0.05 * Math.sin(at * 7919)

function setUp({ groups }: { groups: number }) {
  const sizes = createSizeWatch()
  let at = 0
  /** How many of the packets of the next group are unusual, if so many bytes more are spent on each from `from` on. */
  function nextGroup({ more = 0, from = 0, isLearnt = true } = {}): number[] {
    return GROUP.flatMap((bytes, place) => {
      const size = bytes * noise(at++) + (place >= from ? more : 0)
      const isUnusual = sizes.isUnusual({ isKeyframe: place === 0, size })
      if (isLearnt) sizes.learn()
      return isUnusual ? [place] : []
    })
  }
  for (let group = 0; group < groups; group++) nextGroup()
  return { sizes, nextGroup }
}

test('nothing is usual before it has been seen some times', () => {
  const { nextGroup } = setUp({ groups: 2 })
  expect(nextGroup()).toHaveLength(GROUP.length)
  expect(nextGroup()).toEqual([])
})

test('what always happens at a place of the group is usual there', () => {
  const { nextGroup } = setUp({ groups: 20 })
  for (let group = 0; group < 100; group++) expect(nextGroup()).toEqual([])
})

test.each([
  { name: 'much more', more: 2_000, from: 5, within: 1 },
  { name: 'a little more', more: 600, from: 4, within: 4 },
])('$name is noticed within $within packets', ({ more, from, within }) => {
  const { nextGroup } = setUp({ groups: 20 })
  const [first] = nextGroup({ more, from, isLearnt: false })
  expect(first).toBeLessThan(from + within)
})

test('fewer bytes are nothing that happens', () => {
  const { nextGroup } = setUp({ groups: 20 })
  expect(nextGroup({ more: -200 })).toEqual([])
})

test('what turns out to be nothing becomes usual', () => {
  const { nextGroup } = setUp({ groups: 20 })
  expect(nextGroup({ more: 2_000 })).not.toEqual([])
  for (let group = 0; group < 30; group++) nextGroup({ more: 2_000 })
  expect(nextGroup({ more: 2_000 })).toEqual([])
})

test('a group that is longer than any before is unusual where nothing is known', () => {
  const { sizes, nextGroup } = setUp({ groups: 20 })
  expect(nextGroup()).toEqual([])
  expect(sizes.isUnusual({ isKeyframe: false, size: 10 })).toBe(true)
})

test('of very long groups the end is never usual', () => {
  const sizes = createSizeWatch()
  const unusual: number[] = []
  for (let at = 0; at < 5 * 400; at++) {
    const isUnusual = sizes.isUnusual({ isKeyframe: at % 400 === 0, size: 100 })
    if (isUnusual && at >= 4 * 400) unusual.push(at % 400)
    sizes.learn()
  }
  expect(unusual).toEqual(Array.from({ length: 100 }, (_, at) => 300 + at))
})
