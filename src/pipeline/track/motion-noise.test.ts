import { expect, test } from 'vitest'
import { createMotionNoise } from './motion-noise.ts'

function after(surprises: readonly number[]): number {
  const motionNoise = createMotionNoise()
  surprises.forEach((surprise) => motionNoise.learn(surprise))
  return motionNoise.value
}

const often = (surprise: number): number[] => Array<number>(200).fill(surprise)

test('good predictions calm it, bad ones stir it, both within bounds', () => {
  const start = after([])
  expect(after(often(0.1))).toBeLessThan(start / 2)
  expect(after(often(3))).toBeGreaterThan(2 * start)
  expect(after([...often(0), ...often(0)])).toBe(after(often(0)))
  expect(after([...often(9), ...often(9)])).toBe(after(often(9)))
})

test('one wild jump hardly matters', () => {
  expect(after([1000])).toBeLessThan(1.1 * after([]))
})
