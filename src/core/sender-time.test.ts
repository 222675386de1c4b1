import { expect, test } from 'vitest'
import { plausibleSenderTime } from './sender-time.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

test.each([
  ['a clock that is nearly right is believed', NOON - 3_000, NOON - 3_000],
  ['so is one that is ten minutes behind', NOON - 600_000, NOON - 600_000],
  ['or ahead', NOON + 600_000, NOON + 600_000],
  ['not one that is further behind', NOON - 600_001, undefined],
  ['nor one in another time zone', NOON + 3_600_000, undefined],
  ['nor one that was never set', 0, undefined],
  ['a sender that says nothing is not known', undefined, undefined],
])('%s', (_name, sentMs, believed) => expect(plausibleSenderTime(sentMs, NOON)).toBe(believed))
