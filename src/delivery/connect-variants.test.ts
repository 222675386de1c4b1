import { expect, test } from 'vitest'
import { CONNECT_VARIANTS, nextVariant } from './connect-variants.ts'

const accepted = { isAnswered: true, isAccepted: true }
const refused = { isAnswered: true, isAccepted: false }
const silent = { isAnswered: false, isAccepted: false }

test.each([
  { rule: 'the first one again after a connection that was accepted', outcomes: [refused, refused, accepted], next: 0 },
  { rule: 'the next one after a refusal', outcomes: [refused], next: 1 },
  { rule: 'the one without a last will after two refusals', outcomes: [refused, refused], next: 2 },
  { rule: 'the first one after all were refused', outcomes: [refused, refused, refused], next: 0 },
  { rule: 'the older version when there is no answer', outcomes: [silent], next: 1 },
  { rule: 'one with a last will, however often there is no answer', outcomes: [silent, silent], next: 0 },
  {
    rule: 'one with a last will, when a broker without one falls silent',
    outcomes: [refused, refused, silent],
    next: 0,
  },
])('$rule', ({ outcomes, next }) => {
  expect(outcomes.reduce(nextVariant, 0)).toBe(next)
  expect(CONNECT_VARIANTS[next]!.hasWill).toBe(next < 2)
})
