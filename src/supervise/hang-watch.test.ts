import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type HangWatch, startHangWatch } from './hang-watch.ts'
import { type ThreadTimes } from './proc.ts'

let clock: FakeClock
let watch: HangWatch
let alarms: number
let firstThread: () => ThreadTimes
beforeEach(() => {
  firstThread = () => ({ ranMs: 100, waitedMs: 50 })
  clock = createFakeClock()
  alarms = 0
  watch = startHangWatch({
    onHung: () => void alarms++,
    maxSilenceMs: 3_000,
    firstThread: () => firstThread(),
    clock,
  })
})

async function advance(seconds: number, onSecond = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    onSecond()
    await clock.advance(500)
    await clock.advance(500)
  }
}

test('a child that sends nothing and does nothing for three seconds hangs, which is said once', async () => {
  watch.noteSign()
  await advance(2)
  expect(alarms).toBe(0)
  await advance(2)
  expect(alarms).toBe(1)
  await advance(60)
  expect(alarms).toBe(1)
})

describe('one that is silent', () => {
  const since = () => clock.steady()

  test('while it waits for a core is left alone', async () => {
    firstThread = () => ({ ranMs: since() * 0.01, waitedMs: since() * 0.99 })
    watch.noteSign()
    await advance(600)
    expect(alarms).toBe(0)
  })

  test.each([
    ['computes all the while', () => ({ ranMs: since(), waitedMs: 0 }), 30],
    ['may compute, for all that is known,', () => ({ ranMs: NaN, waitedMs: NaN }), 18],
  ])('and %s has longer', async (_name, found, leftAloneSeconds) => {
    firstThread = found
    watch.noteSign()
    await advance(leftAloneSeconds)
    expect(alarms).toBe(0)
    await advance(5)
    expect(alarms).toBe(1)
  })

  test('after it computed has only been idle since', async () => {
    const beganAt = since()
    firstThread = () => ({ ranMs: Math.min(since() - beganAt, 10_000), waitedMs: 0 })
    watch.noteSign()
    await advance(10)
    expect(alarms).toBe(0)
    await advance(4)
    expect(alarms).toBe(1)
  })
})

test('one that has sent nothing yet loads its code, for a minute at the most', async () => {
  await advance(59)
  expect(alarms).toBe(0)
  await advance(2)
  expect(alarms).toBe(1)
})

test('one that sends something is left alone, and so is one that is gone', async () => {
  await advance(60, () => watch.noteSign())
  watch.stop()
  await advance(60)
  expect(alarms).toBe(0)
})

test.each([15_000, 2_000])('when we stood still ourselves for %i ms, that is not its silence', async (ms) => {
  watch.noteSign()
  await clock.advance(ms)
  expect(alarms).toBe(0)
  await advance(1)
  expect(alarms).toBe(0)
  await advance(3)
  expect(alarms).toBe(1)
})
