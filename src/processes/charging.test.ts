import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { chargingOnceUsed, startCharging } from './charging.ts'

async function setUp(initialSeconds: number) {
  let leftSeconds = initialSeconds
  const clock = createFakeClock()
  const stopping = new AbortController()
  const meter = { ms: 0 }
  const totals: number[] = []
  const errors: unknown[] = []
  let failing = 0
  let emptied = 0
  const charging = startCharging({
    meter,
    async charge(totalMs) {
      const total = totalMs / 1000
      if (failing-- > 0) throw new Error('the database is away')
      totals.push(total)
      return { isUnlimited: false, remainingSeconds: leftSeconds - total, consumedSeconds: total, pendingSeconds: 0 }
    },
    onEmpty() {
      emptied += 1
      stopping.abort()
    },
    onError: (error) => errors.push(error),
    clock,
    signal: stopping.signal,
  })
  // The first word is said.
  await clock.advance(0)
  return {
    charging,
    totals,
    errors,
    stopping,
    emptied: () => emptied,
    /** By another process of the same account, or by its master. */
    takeAll: () => void (leftSeconds = 0),
    failNext: (times: number) => void (failing = times),
    run: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        meter.ms += 1_000
        await clock.advance(1_000)
      }
    },
    wait: (ms: number) => clock.advance(ms),
  }
}

test('the total is charged every five seconds', async () => {
  const { run, totals } = await setUp(1_000)
  await run(15)
  expect(totals).toEqual([0, 5, 10, 15])
})

test('one that uses nothing ends with the minutes of its account too, within a minute', async () => {
  const { wait, takeAll, emptied } = await setUp(1_000)
  takeAll()
  for (let time = 0; time < 11; time++) await wait(5_000)
  expect(emptied()).toBe(0)
  await wait(5_000)
  expect(emptied()).toBe(1)
})

test('one that is about to use some is told at once that there are none', async () => {
  const { charging, takeAll, emptied } = await setUp(1_000)
  await charging.check()
  expect(emptied()).toBe(0)
  takeAll()
  await charging.check()
  expect(emptied()).toBe(1)
})

test('nothing is charged while nothing runs', async () => {
  const { run, wait, totals } = await setUp(1_000)
  await run(5)
  for (let time = 0; time < 10; time++) await wait(5_000)
  expect(totals).toEqual([0, 5])
})

test('a word that was not heard is said again, and nothing is lost', async () => {
  const { run, totals, errors, failNext } = await setUp(1_000)
  await run(4)
  failNext(1)
  await run(6)
  expect(errors).toHaveLength(1)
  expect(totals).toEqual([0, 6])
})

test('the end of the minutes is noticed within a second', async () => {
  const { run, emptied } = await setUp(7)
  await run(6)
  expect(emptied()).toBe(0)
  await run(2)
  expect(emptied()).toBe(1)
})

test('after the end nothing is charged but what is asked for', async () => {
  const { charging, run, totals, stopping } = await setUp(1_000)
  await run(5)
  stopping.abort()
  await run(20)
  expect(totals).toEqual([0, 5])
  await charging.now()
  expect(totals).toEqual([0, 5, 25])
})

test('before anything is used what is left is looked up, and nothing is written', async () => {
  const written: number[] = []
  const balance = { isUnlimited: false, remainingSeconds: 0, consumedSeconds: 0, pendingSeconds: 0 }
  const ledger = chargingOnceUsed({
    async charge(_id, _account, totalMs) {
      written.push(totalMs)
      return balance
    },
    balance: async () => balance,
  })
  for (const totalMs of [0, 1, 400, 5_000]) expect(await ledger.charge('p', 'a', totalMs, 0)).toBe(balance)
  expect(written).toEqual([1, 400, 5_000])
})
