import { describe, expect, test } from 'vitest'
import { isSegmentFull } from './record.ts'

describe('length of segments', () => {
  test.each([
    { name: 'by the stream’s time', streamMs: 60_000, passedMs: 59_000, isFull: true },
    { name: 'not before', streamMs: 59_000, passedMs: 60_000, isFull: false },
    { name: 'by ours, where the stream’s stands still', streamMs: 0, passedMs: 65_000, isFull: true },
    { name: 'never within a second', streamMs: 1e9, passedMs: 999, isFull: false },
  ])('a segment is full $name', ({ streamMs, passedMs, isFull }) =>
    expect(isSegmentFull({ streamMs, passedMs }, 60)).toBe(isFull),
  )
})
