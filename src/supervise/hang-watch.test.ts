import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { startWorkerWatchdog, type WorkerWatchdog } from './worker-watchdog.ts'

let clock: FakeClock
let watchdog: WorkerWatchdog
let alarms: number
let ending: AbortController
beforeEach(() => {
  clock = createFakeClock()
  ending = new AbortController()
  alarms = 0
  watchdog = startWorkerWatchdog({ onSilent: () => void alarms++, clock, signal: ending.signal })
})

async function advance(seconds: number, onSecond = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    onSecond()
    await clock.advance(1_000)
  }
}

test('silence of a running worker is noticed after a quarter of a minute, and counts anew then', async () => {
  watchdog.arm()
  await advance(14)
  expect(alarms).toBe(0)
  await advance(6)
  expect(alarms).toBe(1)
  await advance(20)
  expect(alarms).toBe(2)
})

test('a worker that sends something is left alone', async () => {
  watchdog.arm()
  await advance(60, () => watchdog.noteSign())
  expect(alarms).toBe(0)
})

test('silence counts only while it is armed, and never after the end', async () => {
  await advance(60)
  watchdog.arm()
  watchdog.noteSign()
  watchdog.disarm()
  await advance(60)
  watchdog.arm()
  watchdog.noteSign()
  ending.abort()
  await advance(60)
  expect(alarms).toBe(0)
})
