import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { anAlert, aSetup } from '../../test/builders/alerts.ts'
import { aSource } from '../../test/builders/source.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { aProcess } from '../../test/builders/process.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type Alert } from './alert.ts'
import { type AlertStore, createAlertStore } from './alerts.store.ts'
import { toStoredProgress } from './progress.ts'
import { createSequenceStore, type SequenceStore } from './sequences.store.ts'

describe.each(dialects)('alerts on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: AlertStore
  let sequences: SequenceStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
    store = createAlertStore(database.db)
    sequences = createSequenceStore(database.db)
  })
  afterEach(() => database.remove())

  const limits = { registered: 10, active: 3 }
  const add = async (change: Partial<Alert> = {}) => {
    const alert = anAlert({ accountId: account.id, ...change })
    expect(await store.insertWithinLimits(account, alert, limits)).toBe('inserted')
    return alert
  }

  test('what is stored comes back whole, and only to its owner', async () => {
    const alert = await add({
      setup: aSetup({
        type: 'flow-control',
        region: { type: 'geo_polygon', points: [[1, 179], [2, -179], [1, -179]] }, // prettier-ignore
        output: [{ type: 'mqtt', config: { host: 'b', topic: 't', username: 'u', password: 'secret' } }],
      }),
    })
    expect(await store.find(account.id, alert.id)).toEqual(alert)
    expect(await store.find('somebody', alert.id)).toBeUndefined()
    expect(await store.remove('somebody', alert.id)).toBe(false)
    expect(await store.remove(account.id, alert.id)).toBe(true)
    expect(await store.find(account.id, alert.id)).toBeUndefined()
  })

  test('the sources of an alert come back, go with their removal, and are its own account’s only', async () => {
    const sources = createSourceStore(database.db)
    const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
    const [yard, gate, foreign] = [account, account, other].map((owner) =>
      aSource({ accountId: owner.id, mediaPath: null }),
    )
    for (const source of [yard!, gate!]) await sources.insertWithinLimits(account, source)
    await sources.insertWithinLimits(other, foreign!)
    const { id } = await add({ sourceIds: [yard!.id, gate!.id, foreign!.id] })
    await add()
    const listed = async () => (await store.listActive(account.id)).map(({ sourceIds }) => sourceIds)
    expect(await listed()).toEqual([[yard!.id, gate!.id], null])
    await database.db.deleteFrom('source').where('id', '=', yard!.id).execute()
    expect(await listed()).toEqual([[gate!.id], null])
    await database.db.deleteFrom('source').where('id', '=', gate!.id).execute()
    expect((await store.list(account.id, { limit: 2 })).items[1]!.sourceIds).toEqual([])
    expect((await store.change(account.id, id, limits, (alert) => ({ ...alert, sourceIds: null }))) as Alert).toEqual(
      await store.find(account.id, id),
    )
    expect(await listed()).toEqual([null, null])
  })

  test('of a thousand sources, the first that is not its own account’s is found in one query', async () => {
    const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
    const [own, foreign] = [account, other].map((owner) => aSource({ accountId: owner.id, mediaPath: null }))
    const sources = createSourceStore(database.db)
    await sources.insertWithinLimits(account, own!)
    await sources.insertWithinLimits(other, foreign!)
    expect(await store.findMissingSource(account.id, [])).toBeUndefined()
    expect(await store.findMissingSource(account.id, [own!.id])).toBeUndefined()
    const strange = Array.from({ length: 998 }, () => orderedUuid())
    expect(await store.findMissingSource(account.id, [own!.id, foreign!.id, ...strange])).toBe(foreign!.id)
  })

  test('many at once never overrun the limits', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.insertWithinLimits(
          account,
          anAlert({ accountId: account.id, status: index % 2 === 0 ? 'active' : 'inactive' }),
          { registered: 8, active: 3 },
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(8)
    expect((await store.listActive(account.id)).length).toBeLessThanOrEqual(3)
  })

  test('an alert is activated only where there is room', async () => {
    const sleeping = await add({ status: 'inactive' })
    for (let index = 0; index < 3; index++) await add()
    const activate = () => store.change(account.id, sleeping.id, limits, (alert) => ({ ...alert, status: 'active' }))
    expect(await activate()).toBe('active-alert-limit-reached')
    const [first] = await store.listActive(account.id)
    await store.remove(account.id, first!.id)
    expect(await activate()).toMatchObject({ id: sleeping.id, status: 'active' })
    // What is active already needs no more room.
    expect(await activate()).toMatchObject({ status: 'active' })
  })

  test('changes do not get in each other’s way', async () => {
    const { id } = await add({ alias: '' })
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.change(account.id, id, limits, (alert) => ({ ...alert, alias: `${alert.alias}x` })),
      ),
    )
    expect((await store.find(account.id, id))!.alias).toBe('xxxxxxxxxx')
    expect(await store.change('somebody', id, limits, (alert) => alert)).toBeUndefined()
  })

  test('what a change throws changes nothing', async () => {
    const alert = await add()
    const change = store.change(account.id, alert.id, limits, () => {
      throw new Error('no')
    })
    await expect(change).rejects.toThrow('no')
    expect(await store.find(account.id, alert.id)).toEqual(alert)
  })

  test('lists are newest first, page by page', async () => {
    const made = [await add(), await add({ status: 'inactive' }), await add()]
    const first = await store.list(account.id, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual([made[2]!.id, made[1]!.id])
    const rest = await store.list(account.id, { limit: 2, cursor: first.nextCursor! })
    expect(rest.items.map(({ id }) => id)).toEqual([made[0]!.id])
    expect((await store.listActive(account.id)).map(({ id }) => id)).toEqual([made[0]!.id, made[2]!.id])
    await store.removeAllOf(account.id)
    expect((await store.list(account.id, { limit: 2 })).items).toEqual([])
  })

  test('numbers that are set aside stay so, for each alert and process', async () => {
    for (const reserved of [100, 300, 200]) await sequences.raiseReserved('a', 'p', reserved)
    await sequences.raiseReserved('b', 'p', 10)
    await sequences.raiseReserved('a', 'q', 20)
    expect(await sequences.reservedAt('p')).toEqual(new Map(Object.entries({ a: 300, b: 10 })))
    for (const channel of ['1', '2', '1']) await sequences.addChannel(channel, 'a', 'p')
    expect(await sequences.channelsOf('a')).toEqual(['1', '2'])
    await sequences.removeAlert('a')
    expect(await sequences.channelsOf('a')).toEqual([])
    expect(await sequences.reservedAt('p')).toEqual(new Map([['b', 10]]))
  })

  test('what is unfinished is kept until it is not, whatever becomes of the numbers', async () => {
    const process = { processId: 'p', accountId: account.id, sourceId: 's' }
    const alert = anAlert({ accountId: account.id })
    const events = [{ event: 'ended', data: { reason: 'service-restart' } }]
    const progress = { process, inFlight: [], unfinished: { alert, events, seenAt: { takenAtMs: 1 } } }
    await sequences.raiseReserved(alert.id, 'q', 1)
    // What was in the spool comes in any order.
    await sequences.saveProgress(alert.id, 'p', toStoredProgress(progress))
    await sequences.raiseReserved(alert.id, 'p', 1)
    expect(await sequences.listProgress('all')).toEqual([{ alertId: alert.id, progress }])
    for (const id of ['p', 'r']) await sequences.saveProgress(alert.id, id, null)
    expect(await sequences.listProgress('all')).toEqual([])
    expect([await sequences.reservedAt('p'), await sequences.reservedAt('r')]).toEqual([
      new Map([[alert.id, 1]]),
      new Map(),
    ])
  })

  test('numbers of processes are skipped, and those of others are not', async () => {
    for (const [alertId, processId] of [
      ['a', 'p'],
      ['b', 'p'],
      ['a', 'q'],
      ['a', 'r'],
    ] as const)
      // prettier-ignore
      await sequences.raiseReserved(alertId, processId, 100)
    await sequences.skipNumbers([...tooManyToBind(), 'p', 'q'], 10_000)
    const [ofP, ofQ, ofR] = await Promise.all(['p', 'q', 'r'].map((processId) => sequences.reservedAt(processId)))
    expect(ofP).toEqual(new Map([['a', 10_100], ['b', 10_100]])) // prettier-ignore
    expect([ofQ, ofR]).toEqual([new Map([['a', 10_100]]), new Map([['a', 100]])])
  })

  test('what a node kept of a process that has gone to another one since is not written over what that has', async () => {
    const node = { id: 'north', epoch: 7 }
    const north = createSequenceStore(database.db, node)
    await createProcessStore(database.db, node).insertWithinLimits(
      account,
      aProcess({ id: 'p', accountId: account.id }),
    )
    const process = { processId: 'p', accountId: account.id, sourceId: 's' }
    await north.saveProgress('a', 'p', toStoredProgress({ process, inFlight: [], unfinished: null }))
    await database.db.updateTable('process').set({ node_id: 'south' }).execute()
    await north.saveProgress('a', 'p', null)
    await north.saveProgress('b', 'p', toStoredProgress({ process, inFlight: [], unfinished: null }))
    expect((await sequences.listProgress('all')).map(({ alertId }) => alertId)).toEqual(['a'])
  })

  test('of some processes progress is listed, and the end written, without the others', async () => {
    const alert = anAlert({ accountId: account.id })
    for (const processId of ['p', 'q', 'r']) {
      const process = { processId, accountId: account.id, sourceId: 's' }
      const progress = { process, inFlight: [], unfinished: { alert, events: [], seenAt: { takenAtMs: 1 } } }
      await sequences.saveProgress(alert.id, processId, toStoredProgress(progress))
    }
    const idsOf = async (ids: 'all' | string[]) =>
      (await sequences.listProgress(ids)).map(({ progress }) => progress.process.processId).sort()
    expect([await idsOf([...tooManyToBind(), 'p', 'q']), await idsOf([])]).toEqual([['p', 'q'], []])
    await sequences.endAllBut(['p', 'q'], ['q'], 2_000)
    await sequences.removeEndedBefore(2_001)
    expect(await idsOf('all')).toEqual(['q', 'r'])
  })

  test('the numbers of processes that ended are forgotten after a while', async () => {
    for (const process of ['p', 'q', 'r']) {
      await sequences.raiseReserved('a', process, 1)
      await sequences.addChannel(`to ${process}`, 'a', process)
    }
    await sequences.endProcess('p', 1_000)
    await sequences.endAllBut('all', [...tooManyToBind(), 'r'], 2_000)
    await sequences.removeEndedBefore(1_500)
    expect(await sequences.channelsOf('a')).toEqual(['to q', 'to r'])
    await sequences.removeEndedBefore(2_500)
    expect(await sequences.channelsOf('a')).toEqual(['to r'])
    // One that goes on counts on from where it was.
    expect(await sequences.reservedAt('r')).toEqual(new Map([['a', 1]]))
  })
})
