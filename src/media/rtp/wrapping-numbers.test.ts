import { describe, expect, test } from 'vitest'
import { isAheadOf, nextSequenceNumber, sequenceNumbersAhead, timestampStep } from './wrapping-numbers.ts'

describe('sequence numbers', () => {
  test('wrap at 16 bits', () => {
    expect([nextSequenceNumber(7), nextSequenceNumber(0xffff)]).toEqual([8, 0])
  })

  test.each([
    { name: 'the same', from: 5, to: 5, ahead: 0, isAhead: true },
    { name: 'newer, across the wrap', from: 0xfffe, to: 3, ahead: 5, isAhead: true },
    { name: 'late, across the wrap', from: 3, to: 0xfffe, ahead: 0xfffb, isAhead: false },
  ])('$name', ({ from, to, ahead, isAhead }) => {
    expect([sequenceNumbersAhead(from, to), isAheadOf(from, to)]).toEqual([ahead, isAhead])
  })
})

describe('timestamp step', () => {
  test.each([
    { name: 'forwards', from: 10, to: 13, step: 3 },
    { name: 'backwards', from: 13, to: 10, step: -3 },
    { name: 'forwards across the wrap', from: 2 ** 32 - 1, to: 2, step: 3 },
    { name: 'backwards across the wrap', from: 2, to: 2 ** 32 - 1, step: -3 },
  ])('a step $name', ({ from, to, step }) => expect(timestampStep(from, to)).toBe(step))
})
