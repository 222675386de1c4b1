import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { withChargedEnds } from './charged-ends.ts'

const nothingLeft = { isUnlimited: false, remainingSeconds: 0, consumedSeconds: 0, pendingSeconds: 0 }

let isLedgerAway: boolean
let written: unknown[]
let store: ReturnType<typeof withChargedEnds>
beforeEach(() => {
  isLedgerAway = false
  written = []
  store = withChargedEnds({
    store: { update: async ({ state }) => void written.push(state) },
    ledger: {
      async charge(chargeId, accountId, totalMs, now) {
        if (isLedgerAway) throw new Error('locked')
        written.push([chargeId, accountId, totalMs, now])
        return nothingLeft
      },
    },
    clock: createFakeClock(5_000),
  })
})

test('the ledger has what a process consumed before its end is written', async () => {
  const process = aProcess({ state: 'stopped', consumedMs: 60_400 })
  await store.update(process)
  expect(written).toEqual([[process.id, process.accountId, 60_400, 5_000], 'stopped'])
})

test('no end is written before the ledger can be had', async () => {
  isLedgerAway = true
  await expect(store.update(aProcess({ state: 'failed', consumedMs: 1 }))).rejects.toThrow('locked')
  expect(written).toEqual([])
})

test('a start that came to nothing leaves nothing in the ledger', async () => {
  await store.update(aProcess({ state: 'failed' }))
  expect(written).toEqual(['failed'])
})

test('one that goes on is charged elsewhere', async () => {
  isLedgerAway = true
  await store.update(aProcess({ state: 'stopping', consumedMs: 1 }))
  expect(written).toEqual(['stopping'])
})
