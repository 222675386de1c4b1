import { expect, test } from 'vitest'
import { createSampleOrder, type SampleOrder } from './sample-order.ts'

const now = 1_763_168_400_000

const verdicts = (order: SampleOrder, ...times: readonly number[]) =>
  times.map((ms) => {
    const verdict = order.check(now + ms, now)
    return 'refusal' in verdict ? verdict.refusal.reason : verdict.startsAnew ? 'anew' : 'ok'
  })

test('messages in time are taken, late ones too, and equal ones', () => {
  expect(verdicts(createSampleOrder(), -1000, -900, -900, -1500, 0, 2000)).toEqual(Array(6).fill('ok'))
})

test.each([
  { name: 'in the future', ms: 5001, reason: 'timestamp-in-the-future' },
  { name: 'in another century', ms: 3e12, reason: 'timestamp-in-the-future' },
  { name: 'of yesterday', ms: -86_400_000, reason: 'timestamp-in-the-past' },
  { name: 'half a minute old', ms: -30_001, reason: 'timestamp-in-the-past' },
])('a message $name is refused', ({ ms, reason }) => expect(verdicts(createSampleOrder(), ms)).toEqual([reason]))

test('video that is said to be late, or early, belongs to other messages', () => {
  expect(verdicts(createSampleOrder(-30_000), 33_000)).toEqual(['ok'])
  expect(verdicts(createSampleOrder(30_000), -55_000)).toEqual(['ok'])
})

test('one that went back is refused; several that go on from each other begin anew', () => {
  const order = createSampleOrder()
  expect(verdicts(order, 0, -10_000, 100)).toEqual(['ok', 'timestamp-went-back', 'ok'])
  expect(verdicts(order, -9000, -8000, -7000, -6900)).toEqual([
    'timestamp-went-back',
    'timestamp-went-back',
    'anew',
    'ok',
  ])
})

test('the same old message sent again and again never begins anew', () => {
  expect(verdicts(createSampleOrder(), 0, -9000, -9000, -9000, -9000).slice(1)).toEqual(
    Array(4).fill('timestamp-went-back'),
  )
})

test('the usual delay is told', () => {
  const order = createSampleOrder()
  expect(order.usualDelayMs).toBeNull()
  verdicts(order, -400, -300, -2000, -350, -420)
  expect(order.usualDelayMs).toBe(400)
})
