import { expect, test } from 'vitest'
import { wallClockOf } from './wall-clock-of.ts'

const report = { timestamp: 0xffffffff, wallClockMs: 1_000 }

test.each([
  { name: 'the report itself', timestamp: 0xffffffff, wallClockMs: 1_000 },
  { name: 'later, across the wrap', timestamp: 90_000 - 1, wallClockMs: 2_000 },
  { name: 'earlier', timestamp: 0xffffffff - 9_000, wallClockMs: 900 },
])('$name', ({ timestamp, wallClockMs }) => expect(wallClockOf(report, timestamp, 90_000)).toBe(wallClockMs))
