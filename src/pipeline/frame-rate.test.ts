import { expect, test } from 'vitest'
import { createFrameRate } from './frame-rate.ts'

test('the rate is that of the pictures, also after a loss', () => {
  const rate = createFrameRate()
  expect(rate.fps).toBe(25)
  for (let index = 0; index < 20; index++) rate.note(index * 100)
  rate.note(60_000)
  for (let index = 0; index < 5; index++) rate.note(60_100 + index * 100)
  expect(rate.fps).toBeCloseTo(10)
})
