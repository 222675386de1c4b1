import { describe, expect, test } from 'vitest'
import { createTypicalConfidence } from './trust.ts'

describe('typical confidence', () => {
  test('it learns what a detector gives to true objects, each class on its own', () => {
    const typical = createTypicalConfidence(0.9)
    for (let i = 0; i < 1000; i++) typical.learn(0, 0.5)
    expect(typical.of(0)).toBeCloseTo(0.5, 1)
    expect(typical.of(1)).toBeGreaterThan(0.8)
  })

  test('what is new counts more than what is long ago', () => {
    const typical = createTypicalConfidence(0.9)
    for (let i = 0; i < 5000; i++) typical.learn(0, 0.9)
    for (let i = 0; i < 1000; i++) typical.learn(0, 0.4)
    expect(typical.of(0)).toBeLessThan(0.45)
  })
})
