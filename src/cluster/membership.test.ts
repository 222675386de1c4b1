import { afterEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { NodeExpelled } from '../core/node.ts'
import { createLog } from '../observe/log.ts'
import { joinCluster, type Membership } from './membership.ts'
import { type Renewal } from './node.store.ts'

const LEASE = 15_000

let open: Membership | undefined
afterEach(() => open?.leave())

/** A database that answers at once, is away, or says nothing. */
async function rig({ connections = 0, isTaken = false } = {}) {
  const clock = createFakeClock()
  const renewals: Renewal[] = []
  const left: number[] = []
  let state: 'there' | 'away' | 'hanging' | 'raised' = 'there'
  let stale = connections
  const join = () =>
    joinCluster({
      store: {
        join: async () => (isTaken ? undefined : { epoch: 7, nowMs: clock.steady() }),
        async renew(renewal) {
          renewals.push(renewal)
          if (state === 'away') throw new Error('away')
          if (state === 'hanging') await new Promise(() => {})
          return state === 'raised' ? undefined : clock.steady()
        },
        leave: async (_id, epoch) => left.push(epoch) > 0 && state !== 'raised',
        endStaleConnections: async () => (stale > 0 ? stale-- : 0),
      },
      node: { id: 'a', instance: 'i', labels: [], version: '1', schemaVersion: '1', leaseMs: LEASE },
      load: () => ({ cores: 4, freeCores: 1, room: renewals.length, processes: 0 }),
      rtspUrl: () => 'rtsp://a:8554',
      clock,
      log: createLog({ level: 'silent' }),
    })
  const membership = isTaken || connections > 4 ? undefined : await join()
  open = membership
  /** Second by second, so that loops come round. */
  const pass = async (ms: number) => {
    for (let past = 0; past < ms; past += 1_000) await clock.advance(1_000)
  }
  return { clock, join, membership: membership!, renewals, left, pass, be: (next: typeof state) => void (state = next) }
}

test('a lease is renewed three times in its length, with how much there is to do', async () => {
  const { renewals, pass, membership } = await rig({ connections: 2 })
  await pass(LEASE)
  expect(renewals).toHaveLength(3)
  expect(renewals[2]).toMatchObject({ id: 'a', epoch: 7, leaseMs: LEASE, rtspUrl: 'rtsp://a:8554', load: { room: 2 } })
  expect(membership.isWithinLease()).toBe(true)
  expect(membership.steadyDatabaseMs()).toBeDefined()
})

test.each(['away', 'hanging'] as const)('while the database is %s the lease ends, and goes on with it', async (how) => {
  const { pass, be, membership, renewals } = await rig()
  const changes: boolean[] = []
  membership.onLeaseChange((isWithin) => changes.push(isWithin))
  await pass(LEASE)
  be(how)
  await pass(LEASE - 1_000)
  expect(changes).toEqual([])
  await pass(2_000)
  expect(changes).toEqual([false])
  expect(membership.isWithinLease()).toBe(false)
  // Tried every second, where it answers at all.
  expect(renewals.length).toBe(how === 'away' ? 3 + 12 : 4)
  if (how === 'hanging') return
  be('there')
  await pass(2_000)
  expect(changes).toEqual([false, true])
  expect(membership.steadyDatabaseMs()).toBeUndefined()
  await pass(LEASE)
  expect(membership.steadyDatabaseMs()).toBeDefined()
})

test('whose epoch was raised is expelled, and asks for nothing more', async () => {
  const { pass, be, membership, renewals, left } = await rig()
  be('raised')
  await pass(5_000)
  expect(await membership.expelled).toBeInstanceOf(NodeExpelled)
  await pass(LEASE)
  expect(renewals).toHaveLength(1)
  expect(membership.isWithinLease()).toBe(false)
  expect(await membership.leave()).toBe(false)
  expect(left).toEqual([])
})

test('who leaves and has not heard that its epoch was raised learns of it', async () => {
  const { be, membership } = await rig()
  be('raised')
  expect(await membership.leave()).toBe(false)
})

test('a connection that was refused expels it too', async () => {
  const { membership } = await rig()
  const error = new NodeExpelled('a')
  membership.expel(error)
  expect(await membership.expelled).toBe(error)
  expect(membership.isWithinLease()).toBe(false)
})

test('whoever leaves gives its epoch up, once', async () => {
  const { membership, left, pass, renewals } = await rig()
  expect(await membership.leave()).toBe(true)
  expect(await membership.leave()).toBe(true)
  expect(left).toEqual([7])
  await pass(LEASE)
  expect(renewals).toEqual([])
})

test('a name that another data folder has is refused with a sentence', async () => {
  const { join } = await rig({ isTaken: true })
  await expect(join()).rejects.toThrow(
    'Another node is named a, and runs on another data folder. Give this one another AERIE_NODE_NAME; or, if that one is gone, start this one again after 15 s.',
  )
})

test('whose earlier connections do not end does not join', async () => {
  const { join } = await rig({ connections: 9 })
  await expect(join()).rejects.toThrow('cannot be ended')
})
