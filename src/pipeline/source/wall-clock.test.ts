import { expect, test } from 'vitest'
import { plausible } from './wall-clock.ts'

const now = Date.UTC(2026, 0, 1)

test.each([
  ['the sender’s clock dates a picture', now - 3_000, now - 3_000],
  ['without it, its arrival does', undefined, now],
  ['a clock that was never set is not believed', 0, now],
  ['nor one in another time zone', now + 3_600_000, now],
])('%s', (_name, wallClockMs, takenAtMs) => expect(plausible(wallClockMs, now)).toBe(takenAtMs))
