import { expect, test } from 'vitest'
import { createLeaseRecord } from './lease-record.ts'

const LEASE = 15_000
/** Of the database, when our steady clock says 0. */
const DATABASE = 1_000_000

function record() {
  let steady = 0
  let databaseAhead = DATABASE
  const lease = createLeaseRecord(LEASE, () => steady)
  const renew = (tookMs = 0) => {
    const before = steady
    steady += tookMs
    lease.note(before, steady + databaseAhead)
  }
  return {
    lease,
    renew,
    pass: (ms: number) => void (steady += ms),
    setDatabaseClock: (byMs: number) => void (databaseAhead += byMs),
    /** Renews as a node does, for so long. */
    goOn(ms: number) {
      for (let past = 0; past < ms; past += 5_000) {
        steady += 5_000
        renew()
      }
    },
  }
}

test('a lease counts from before it was asked for', () => {
  const { lease, renew, pass } = record()
  expect(lease.isWithinLease()).toBe(false)
  renew(4_000)
  expect(lease.leftMs()).toBe(LEASE - 4_000)
  pass(10_999)
  expect(lease.isWithinLease()).toBe(true)
  pass(1)
  expect(lease.isWithinLease()).toBe(false)
  renew()
  expect(lease.isWithinLease()).toBe(true)
})

test('only whoever renewed for a whole lease knows the time by which others are dead', () => {
  const one = record()
  one.renew()
  one.goOn(10_000)
  expect(one.lease.steadyDatabaseMs()).toBeUndefined()
  one.goOn(5_000)
  one.pass(1_234)
  expect(one.lease.steadyDatabaseMs()).toBe(DATABASE + 16_234)
})

test.each<[string, (one: ReturnType<typeof record>) => void]>([
  ['an outage that outlasts the lease', ({ pass }) => pass(LEASE + 1_000)],
  ['one that is shorter, in which others’ leases may end', ({ pass }) => pass(12_000)],
  ['a renewal that took long', ({ pass, renew }) => (pass(1_000), renew(8_000))],
  ['a database whose clock was set ahead', ({ pass, setDatabaseClock }) => (pass(5_000), setDatabaseClock(6_000))],
  ['a database whose clock was set back', ({ pass, setDatabaseClock }) => (pass(5_000), setDatabaseClock(-6_000))],
])('after %s it waits for a whole lease again', (_name, disturb) => {
  const one = record()
  one.renew()
  one.goOn(20_000)
  expect(one.lease.steadyDatabaseMs()).toBeDefined()
  disturb(one)
  one.renew()
  expect(one.lease.steadyDatabaseMs()).toBeUndefined()
  one.goOn(10_000)
  expect(one.lease.steadyDatabaseMs()).toBeUndefined()
  one.goOn(5_000)
  expect(one.lease.steadyDatabaseMs()).toBeDefined()
})

test('one renewal that failed at first breaks nothing', () => {
  const one = record()
  one.renew()
  one.goOn(15_000)
  one.pass(7_000)
  one.renew()
  expect(one.lease.steadyDatabaseMs()).toBeDefined()
})

test('whose own lease has ended judges nobody', () => {
  const one = record()
  one.renew()
  one.goOn(30_000)
  one.pass(LEASE)
  expect(one.lease.steadyDatabaseMs()).toBeUndefined()
})
