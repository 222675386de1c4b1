import { expect, test } from 'vitest'
import { toHeading, turnDegrees, wrapDegrees } from './numbers.ts'

test.each([
  [0, 0],
  [180, -180],
  [-180, -180],
  [190, -170],
  [-540, -180],
  [725, 5],
])('%d° is the direction %d°', (angle, wrapped) => expect(wrapDegrees(angle)).toBeCloseTo(wrapped, 12))

test.each([
  [-0, 0],
  [-90, 270],
  [360, 0],
  [-1e-20, 0],
  [719.5, 359.5],
])('%d° is heading %d°', (angle, heading) => expect(toHeading(angle)).toBeCloseTo(heading, 12))

test('the shorter way leads through ±180°', () => {
  expect(turnDegrees(170, -170)).toBeCloseTo(20, 12)
  expect(turnDegrees(-170, 170)).toBeCloseTo(-20, 12)
  expect(turnDegrees(350, 10)).toBeCloseTo(20, 12)
})
