import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type HangWatch, startHangWatch } from './hang-watch.ts'
import { type ThreadActivity } from './proc.ts'

let clock: FakeClock
let watch: HangWatch
let alarms: number
let beganAt: number
let firstThread: () => ThreadActivity
beforeEach(() => {
  firstThread = () => ({ state: 'S', ranMs: 100, waitedMs: 50 })
  clock = createFakeClock()
  alarms = 0
  beganAt = clock.steady()
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
  const since = () => clock.steady() - beganAt

  test('while it waits for a core is left alone', async () => {
    // What it waited for is counted when it is over.
    firstThread = () => ({
      state: 'R',
      ranMs: 100 + since() * 0.01,
      waitedMs: 50 + Math.floor(since() / 9_000) * 9_000,
    })
    watch.noteSign()
    await advance(600)
    expect(alarms).toBe(0)
  })

  test.each([
    ['computes all the while', () => ({ state: 'R', ranMs: 100 + since(), waitedMs: 50 }), 29],
    ['waits for a disk all the while', () => ({ state: 'D', ranMs: 1, waitedMs: 0 }), 19],
    ['may do something, for all that is known,', () => ({ state: 'S', ranMs: NaN, waitedMs: NaN }), 19],
  ])('and %s has longer', async (_name, found, leftAloneSeconds) => {
    firstThread = found
    watch.noteSign()
    await advance(leftAloneSeconds)
    expect(alarms).toBe(0)
    await advance(5)
    expect(alarms).toBe(1)
  })

  test('after it computed has only been idle since', async () => {
    firstThread = () => ({ state: 'S', ranMs: 100 + Math.min(since(), 10_000), waitedMs: 0 })
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
