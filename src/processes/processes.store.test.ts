import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type Account } from '../core/account.ts'
import { endStates, liveStates } from '../core/process-facts.ts'
import { type Process } from './process.ts'
import { createProcessStore, type ProcessStore } from './processes.store.ts'

describe.each(dialects)('processes on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: ProcessStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
    store = createProcessStore(database.db)
  })
  afterEach(() => database.remove())

  const add = async (change: Partial<Process> = {}) => {
    const process = aProcess({ accountId: account.id, ...change })
    const generous = { ...account, limits: { ...account.limits, maxProcesses: 1_000 } }
    expect(await store.insertWithinLimits(generous, process)).toBe('inserted')
    return process
  }

  const listLive = async (accountId: string) => (await store.list(accountId, { limit: 100, state: 'live' })).items

  test('fifty starts at once never overrun the limit', async () => {
    const limited = { ...account, limits: { ...account.limits, maxProcesses: 7 } }
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => store.insertWithinLimits(limited, aProcess({ accountId: account.id }))),
    )
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(7)
    expect(outcomes.filter((outcome) => outcome === 'process-limit-reached')).toHaveLength(43)
    expect(await listLive(account.id)).toHaveLength(7)
  })

  test('an account without minutes starts nothing', async () => {
    const { account: poor } = await addAccount(database, { username: 'poor' })
    expect(await store.insertWithinLimits(poor, aProcess({ accountId: poor.id }))).toBe('usage-limit-reached')
    expect(await listLive(poor.id)).toEqual([])
  })

  test('a process stays as long as its report; a deleted report does not come back', async () => {
    const ended = { state: 'stopped', stoppedAt: 10 } as const
    const { options } = aProcess()
    const process = await add({ ...ended, options: { ...options, isReported: true } })
    await store.removeEndedBefore(20)
    expect((await store.find(account.id, process.id))?.options.isReported).toBe(true)
    await database.db.updateTable('process').set({ is_reported: 0 }).execute()
    await store.update(process)
    expect((await store.find(account.id, process.id))?.options.isReported).toBe(false)
    await store.removeEndedBefore(20)
    expect(await store.exists(process.id)).toBe(false)
  })

  test('what a process asks of its node is there for whoever places it, and no change takes it away', async () => {
    const { options } = aProcess()
    const process = await add({ options: { ...options, labels: ['gpu', 'site=north'] } })
    await store.update({ ...process, state: 'running' })
    const row = await database.db.selectFrom('process').select('placement').executeTakeFirstOrThrow()
    expect(JSON.parse(row.placement!)).toEqual({ labels: ['gpu', 'site=north'] })
    expect((await store.find(account.id, process.id))?.options.labels).toEqual(['gpu', 'site=north'])
  })

  test('what is stored comes back whole; what is another’s does not', async () => {
    const process = await add()
    expect(await store.find(account.id, process.id)).toEqual(process)
    const changed: Process = {
      ...process,
      state: 'failed',
      options: { ...process.options, confidence: 0.6, classes: ['person'] },
      startedAt: 1_700_000_000_000,
      stoppedAt: 1_700_000_001_000,
      stopReason: 'source-lost',
      error: 'It is gone.',
      restarts: 2,
      lastTrackId: 300,
      consumedMs: 60_400,
      stats: {
        inputFps: 1,
        processedFps: 1,
        droppedFrames: 1,
        decodeErrors: 0,
        inferenceMs: { p50: 1, p95: null, p99: null },
        latencyMs: { p50: 1, p95: 2, p99: 3 },
      },
    }
    await store.update(changed)
    expect(await store.find(account.id, process.id)).toEqual(changed)
    expect(await store.find('somebody', process.id)).toBeUndefined()
  })

  test('lists are newest first, page by page, and by state', async () => {
    const made = [await add(), await add(), await add()]
    await store.update({ ...made[1]!, state: 'stopped', stoppedAt: 5 })
    const first = await store.list(account.id, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual([made[2]!.id, made[1]!.id])
    const rest = await store.list(account.id, { limit: 2, cursor: first.nextCursor! })
    expect(rest.items.map(({ id }) => id)).toEqual([made[0]!.id])
    const stopped = await store.list(account.id, { limit: 10, state: 'stopped' })
    expect(stopped.items.map(({ id }) => id)).toEqual([made[1]!.id])
    expect((await store.list('somebody', { limit: 10 })).items).toEqual([])
  })

  test('those that had not ended are found, and hold their places', async () => {
    for (const state of [...liveStates, ...endStates]) await store.update({ ...(await add()), state })
    expect((await store.listTaken('all')).map(({ state }) => state)).toEqual([...liveStates])
    const full = { ...account, limits: { ...account.limits, maxProcesses: liveStates.length } }
    expect(await store.insertWithinLimits(full, aProcess({ accountId: account.id }))).toBe('process-limit-reached')
    const roomy = { ...account, limits: { ...account.limits, maxProcesses: liveStates.length + 1 } }
    expect(await store.insertWithinLimits(roomy, aProcess({ accountId: account.id }))).toBe('inserted')
  })

  test('those that are given are found, and of all and of an account those that are of this node', async () => {
    const [one, other] = [await add(), await add()]
    const nodeStore = createProcessStore(database.db, { id: 'north', epoch: 7 })
    const ours = aProcess({ accountId: account.id })
    const roomy = { ...account, limits: { ...account.limits, maxProcesses: 100 } }
    await nodeStore.insertWithinLimits(roomy, ours)
    const idsOf = (processes: readonly Process[]) => processes.map(({ id }) => id)
    expect(idsOf(await store.listTaken([...tooManyToBind(), one.id, ours.id]))).toEqual([one.id, ours.id])
    expect(idsOf(await store.listTaken('all'))).toEqual([one.id, other.id])
    expect(idsOf(await store.listUnended(account.id))).toEqual([one.id, other.id])
    expect(idsOf(await nodeStore.listTaken('all'))).toEqual([ours.id])
    expect(idsOf(await nodeStore.listUnended(account.id))).toEqual([ours.id])
    // Whose it is is written where processes are given to nodes, and nowhere else.
    await store.update({ ...ours, state: 'paused' })
    const row = await database.db.selectFrom('process').selectAll().where('id', '=', ours.id).executeTakeFirst()
    expect(row).toMatchObject({ state: 'paused', node_id: 'north', node_epoch: 7 })
  })

  test('those of one account are found without those of others', async () => {
    const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
    const own = await add()
    const another = aProcess({ accountId: other.id })
    await store.insertWithinLimits(other, another)
    expect((await store.listUnended(account.id)).map(({ id }) => id)).toEqual([own.id])
    expect((await store.listTaken('all')).map(({ id }) => id)).toEqual([own.id, another.id])
  })

  test('owners are found of as many as are asked for, but for those that are forgotten', async () => {
    const live = await add()
    const ended = await add()
    await store.update({ ...ended, state: 'finished' })
    const unknown = Array.from({ length: 1_200 }, (_, n) => `unknown-${n}`)
    const owners = await store.findOwners([live.id, ...unknown, ended.id])
    expect(owners).toEqual([
      { processId: live.id, accountId: account.id, hasEnded: false },
      { processId: ended.id, accountId: account.id, hasEnded: true },
    ])
  })

  test('those that run are counted by account, on whichever node', async () => {
    const { account: idle } = await addAccount(database, { username: 'idle', minutes: 10 })
    for (const state of ['running', 'running', 'paused', 'stopped'] as const)
      await store.update({ ...(await add()), state })
    const elsewhere = createProcessStore(database.db, { id: 'south', epoch: 3 })
    expect([...(await elsewhere.countRunning([account.id, idle.id]))]).toEqual([[account.id, 2]])
  })

  test('only what has ended is removed by age or with its account', async () => {
    const live = await add()
    for (const stoppedAt of [10, 20, 30]) await store.update({ ...(await add()), state: 'stopped', stoppedAt })
    await store.removeEndedBefore(20)
    expect((await store.list(account.id, { limit: 10 })).items.map(({ stoppedAt }) => stoppedAt)).toEqual([
      30,
      20,
      null,
    ])
    await store.removeAllOf(account.id)
    expect((await store.list(account.id, { limit: 10 })).items.map(({ id }) => id)).toEqual([live.id])
    await store.remove(live.id)
    expect(await store.find(account.id, live.id)).toBeUndefined()
  })
})
