import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type HangWatch, startHangWatch } from './hang-watch.ts'

let clock: FakeClock
let watch: HangWatch
let alarms: number
let cpuTime: () => number
beforeEach(() => {
  cpuTime = () => 1
  clock = createFakeClock()
  alarms = 0
  watch = startHangWatch({ onHung: () => void alarms++, cpuTime: () => cpuTime(), clock })
})

async function advance(seconds: number, onSecond = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    onSecond()
    await clock.advance(1_000)
  }
}

test('a child that sends nothing and does nothing for twenty seconds hangs, which is said once', async () => {
  watch.noteSign()
  await advance(19)
  expect(alarms).toBe(0)
  await advance(11)
  expect(alarms).toBe(1)
  await advance(60)
  expect(alarms).toBe(1)
})

test.each([
  ['computes', () => clock.steady()],
  ['may compute, for all that is known,', () => NaN],
])('one that %s while it is silent has three minutes', async (_name, found) => {
  cpuTime = found
  watch.noteSign()
  await advance(179)
  expect(alarms).toBe(0)
  await advance(6)
  expect(alarms).toBe(1)
})

test('one that sends something is left alone, and so is one that has sent nothing yet, or is gone', async () => {
  await advance(60)
  await advance(60, () => watch.noteSign())
  watch.stop()
  await advance(60)
  expect(alarms).toBe(0)
})

test('when we stood still ourselves, a child has its time anew', async () => {
  watch.noteSign()
  await clock.advance(60_000)
  expect(alarms).toBe(0)
  await advance(19)
  expect(alarms).toBe(0)
  await advance(11)
  expect(alarms).toBe(1)
})
