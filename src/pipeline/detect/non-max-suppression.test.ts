import { describe, expect, test } from 'vitest'
import { createSuppressor, suppressionGroup, suppressionGroups } from './non-max-suppression.ts'

describe('createSuppressor', () => {
  test('keeps the first of two boxes that overlap by more than the limit', () => {
    const suppressor = createSuppressor(10, 0.5)
    expect(suppressor.offer(0, 0, 0, 10, 10)).toBe(true)
    // Overlap 80 of 120.
    expect(suppressor.offer(0, 2, 0, 12, 10)).toBe(false)
    // Overlap 50 of 150.
    expect(suppressor.offer(0, 5, 0, 15, 10)).toBe(true)
  })

  test('an overlap of exactly the limit is not too much', () => {
    const suppressor = createSuppressor(10, 0.5)
    suppressor.offer(0, 0, 0, 20, 10)
    expect(suppressor.offer(0, 0, 0, 10, 10)).toBe(true)
  })

  test('a suppressed box suppresses nothing itself', () => {
    const suppressor = createSuppressor(10, 0.5)
    suppressor.offer(0, 0, 0, 10, 10)
    expect(suppressor.offer(0, 3, 0, 13, 10)).toBe(false)
    expect(suppressor.offer(0, 6, 0, 16, 10)).toBe(true)
  })

  test('of boxes that lie in each other only the surer stays, where nothing stands before another', () => {
    const suppressor = createSuppressor(10, 0.5, 0.7)
    suppressor.offer(0, 10, 10, 30, 30)
    expect(suppressor.offer(0, 0, 0, 40, 40)).toBe(false)
    expect(suppressor.offer(0, 15, 15, 25, 25)).toBe(false)
    // Half of it.
    expect(suppressor.offer(0, 25, 15, 35, 25)).toBe(true)
    expect(suppressor.offer(1, 15, 15, 25, 25)).toBe(true)
  })

  test('boxes of other groups stay', () => {
    const suppressor = createSuppressor(10, 0.5)
    suppressor.offer(0, 0, 0, 10, 10)
    expect(suppressor.offer(1, 0, 0, 10, 10)).toBe(true)
  })

  test('keeps no more than it has room for', () => {
    const suppressor = createSuppressor(1, 0.5)
    expect(suppressor.offer(0, 0, 0, 10, 10)).toBe(true)
    expect(suppressor.offer(0, 50, 50, 60, 60)).toBe(false)
  })

  test('forgets the last picture when it is cleared', () => {
    const suppressor = createSuppressor(1, 0.5)
    suppressor.offer(0, 0, 0, 10, 10)
    suppressor.clear()
    expect(suppressor.offer(0, 0, 0, 10, 10)).toBe(true)
  })
})

test('car, truck and bus are one group, everything else is its own', () => {
  expect(suppressionGroup('truck')).toBe(suppressionGroup('car'))
  expect(suppressionGroup('bus')).toBe(suppressionGroup('car'))
  expect(suppressionGroup('bicycle')).toBe('bicycle')
  expect(suppressionGroup('drone')).toBe(suppressionGroup('bird'))
  expect(suppressionGroup('drone')).not.toBe(suppressionGroup('car'))
  const groups = suppressionGroups(['person', 'car', undefined, 'bus', undefined, 'boat'])
  expect([...groups]).toEqual([0, 1, 2, 1, 4, 5])
})
