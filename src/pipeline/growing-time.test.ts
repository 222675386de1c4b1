import { expect, test } from 'vitest'
import { createGrowingTime } from './growing-time.ts'

test.each([
  { name: 'times that grow stay as they are', times: [5, 45, 46], grown: [5, 45, 46] },
  { name: 'one that stands still is a step later', times: [100, 100, 100], grown: [100, 120, 140] },
  { name: 'after a jump back, intervals are kept', times: [1000, 400, 440, 1000], grown: [1000, 1020, 1060, 1620] },
])('$name', ({ times, grown }) => expect(times.map(createGrowingTime())).toEqual(grown))
