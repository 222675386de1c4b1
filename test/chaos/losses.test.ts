import { describe, expect, test } from 'vitest'
import { type Arrival, countBroken, countConflicts, countDisordered, countMissing } from './losses.ts'

const arrival = (sequence: number, stream = 'a', body = 'x'): Arrival => ({
  id: `${stream}:${sequence}`,
  stream,
  sequence,
  body,
})
const arrivals = (...sequences: number[]) => sequences.map((sequence) => arrival(sequence))

describe('what is missing', () => {
  test.each([
    { name: 'nothing', sequences: [4, 5, 6], mayJump: false, expected: 0 },
    { name: 'twice and late are not missing', sequences: [5, 4, 5, 6], mayJump: false, expected: 0 },
    { name: 'two numbers', sequences: [1, 2, 5], mayJump: false, expected: 2 },
    { name: 'a jump without a kill', sequences: [7, 101, 102], mayJump: false, expected: 93 },
    { name: 'a jump after a kill', sequences: [7, 101, 102], mayJump: true, expected: 0 },
    { name: 'a hole before the jump', sequences: [5, 7, 101], mayJump: true, expected: 1 },
  ])('$name', ({ sequences, mayJump, expected }) => {
    expect(countMissing(arrivals(...sequences), mayJump)).toBe(expected)
  })

  test('each stream counts by itself', () => {
    expect(countMissing([arrival(1), arrival(9, 'b'), arrival(2)], false)).toBe(0)
  })
})

test('what was promised and never arrived is broken, in its own stream', () => {
  expect(countBroken(arrivals(1, 2), arrivals(2, 1, 3))).toBe(0)
  expect(countBroken([...arrivals(1, 4), arrival(2, 'b')], arrivals(1, 2))).toBe(2)
})

test('an id that stands for two things is a conflict, one that comes twice is not', () => {
  expect(countConflicts([arrival(1), arrival(1), arrival(2)])).toBe(0)
  expect(countConflicts([arrival(1), arrival(1, 'a', 'y'), arrival(1, 'a', 'z')])).toBe(1)
})

test('the order is that of first arrivals', () => {
  expect(countDisordered(arrivals(1, 2, 1, 3))).toBe(0)
  expect(countDisordered(arrivals(1, 3, 2, 4))).toBe(1)
})
