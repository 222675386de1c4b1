import { expect, test } from 'vitest'
import { createSampleOrder, type SampleOrder } from './sample-order.ts'

const now = 1_763_168_400_000

const verdictAt = (order: SampleOrder, ms: number, arrivedAtMs: number) => {
  const verdict = order.check(now + ms, now + arrivedAtMs)
  return 'refusal' in verdict ? verdict.refusal.reason : verdict.startsAnew ? 'anew' : 'ok'
}
const verdicts = (order: SampleOrder, ...times: readonly number[]) => times.map((ms) => verdictAt(order, ms, 0))

test('messages in time are taken, late ones too, and equal ones', () => {
  expect(verdicts(createSampleOrder(), -1000, -900, -900, -1500, 0, 2000)).toEqual(Array(6).fill('ok'))
})

test.each([
  { name: 'in time', ms: 0, clock: 'sender', timeMs: now },
  { name: 'five seconds ahead', ms: 5_000, clock: 'sender', timeMs: now + 5_000 },
  { name: 'half a minute old', ms: -30_000, clock: 'sender', timeMs: now - 30_000 },
  { name: 'more than five seconds ahead', ms: 5_001, clock: 'arrival', timeMs: now },
  { name: 'in another century', ms: 3e12, clock: 'arrival', timeMs: now },
  { name: 'more than ten minutes old', ms: -600_001, clock: 'arrival', timeMs: now },
  { name: 'of 1970', ms: -now, clock: 'arrival', timeMs: now },
] as const)('a message $name is placed by the clock of $clock', ({ ms, clock, timeMs }) => {
  const order = createSampleOrder()
  expect(order.clock).toBeNull()
  expect(order.check(now + ms, now)).toEqual({ timeMs, startsAnew: false })
  expect(order.clock).toBe(clock)
})

test.each([-30_001, -600_000])('one that is %s ms late belongs to no frame', (ms) =>
  expect(verdicts(createSampleOrder(), ms)).toEqual(['timestamp-in-the-past']),
)

test('what is placed by its arrival keeps the order of arrival, whatever it says', () => {
  const order = createSampleOrder()
  const times = [9_000, 1_000, 5_000].map((sentAtMs, index) => order.check(sentAtMs, now + index))
  expect(times).toEqual([0, 1, 2].map((ms) => ({ timeMs: now + ms, startsAnew: false })))
})

test('a clock that becomes right is believed at once, and one that was right only given up when it stays wrong', () => {
  const order = createSampleOrder()
  const hour = 3_600_000
  const steps: [sentAtMs: number, arrivedAtMs: number, verdict: string, clock: string][] = [
    [-hour, 0, 'ok', 'arrival'],
    [100, 100, 'anew', 'sender'],
    [200, 200, 'ok', 'sender'],
    // What a network kept for an hour comes all at once.
    [-hour, 300, 'timestamp-in-the-past', 'sender'],
    [-hour + 100, 300, 'timestamp-in-the-past', 'sender'],
    [-hour + 200, 300, 'timestamp-in-the-past', 'sender'],
    [-hour + 300, 300, 'timestamp-in-the-past', 'sender'],
    [400, 400, 'ok', 'sender'],
    [hour + 500, 500, 'timestamp-in-the-future', 'sender'],
    [hour + 1_000, 1_000, 'timestamp-in-the-future', 'sender'],
    [hour + 1_500, 1_500, 'anew', 'arrival'],
    [hour + 2_000, 2_000, 'ok', 'arrival'],
  ]
  for (const [sentAtMs, arrivedAtMs, verdict, clock] of steps)
    expect([verdictAt(order, sentAtMs, arrivedAtMs), order.clock]).toEqual([verdict, clock])
})

test('after a long silence another clock is taken at once', () => {
  const order = createSampleOrder()
  expect(verdictAt(order, 0, 0)).toBe('ok')
  expect(verdictAt(order, -now, 31_000)).toBe('anew')
})

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
  expect(order.typicalDelayMs).toBeNull()
  verdicts(order, -400, -300, -2000, -350, -420)
  expect(order.typicalDelayMs).toBe(400)
})
