import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess, cameraSource } from '../../test/builders/process.ts'
import { type Account } from '../core/account.ts'
import { createDeferred } from '../core/deferred.ts'
import { DatabaseAway, isDatabaseAway } from '../core/outages.ts'
import { type LiveProcess } from './live-process.ts'
import { type Process } from './process.ts'
import { createProcessEndWriter } from './process-end-writer.ts'
import { createProcessService, type ProcessDeps, type ProcessService } from './processes.service.ts'
import { createProcessStore, type ProcessStore } from './processes.store.ts'

let database: TestDatabase
let account: Account
let store: ProcessStore
let deps: ProcessDeps
let service: ProcessService
let transitions: string[]
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
  store = createProcessStore(database.db)
  transitions = []
  const clock = createFakeClock(5_000)
  const unused = () => {
    throw new Error('nothing is started here')
  }
  deps = {
    store,
    streams: { canBeRead: () => true },
    sources: { find: unused },
    // No process has a supervisor, as after a write that was given up.
    supervisor: { findLive: () => undefined, listLiveProcesses: () => [], handOver: unused },
    launcher: { prepare: unused, launch: unused },
    ends: createProcessEndWriter({
      store,
      onState: ({ id, state }, previous) => void transitions.push(`${id} ${previous.state} ${state}`),
      clock,
    }),
    capacity: { objectionTo: () => undefined },
    admit: 'always',
    clock,
  }
  service = createProcessService(deps)
})
afterEach(() => database.remove())

async function add(state: Process['state']): Promise<string> {
  const process = aProcess({ accountId: account.id, state })
  await store.insertWithinLimits({ ...account, limits: { ...account.limits, maxProcesses: 100 } }, process)
  return process.id
}

test('a process without a supervisor can be stopped, and its end is reported', async () => {
  const id = await add('running')
  expect(await service.stop(account, id)).toEqual([id])
  const end = { state: 'stopped', stopReason: 'requested', stoppedAt: 5_000 }
  expect(await store.find(account.id, id)).toMatchObject(end)
  expect(transitions).toEqual([`${id} running stopped`])
  expect(await service.stop(account, id)).toEqual([])
})

test('so can all of them at once', async () => {
  const [running, paused] = [await add('running'), await add('paused')]
  await add('failed')
  const starting = await add('starting')
  expect(await service.stopAll(account)).toEqual([running, paused])
  expect((await store.listTaken('all')).map(({ id }) => id)).toEqual([starting])
})

test('one that failed by itself is said to have ended when that is written, and not before', async () => {
  const id = await add('running')
  const process = aProcess({ id, accountId: account.id, state: 'failed' })
  let isAway = true
  const live: Pick<LiveProcess, 'process' | 'stop'> = {
    process,
    async stop() {
      if (isAway) throw new DatabaseAway(new Error('gone'))
    },
  }
  const supervisor = { ...deps.supervisor, findLive: () => live as LiveProcess }
  const supervised = createProcessService({ ...deps, supervisor })
  await expect(supervised.stop(account, id)).rejects.toSatisfy(isDatabaseAway)
  isAway = false
  expect(await supervised.stop(account, id)).toEqual([])
})

test('on a full machine nothing is started where the operator wants room', async () => {
  const picky = createProcessService({
    ...deps,
    sources: { find: async () => cameraSource },
    launcher: { ...deps.launcher, prepare: async () => ({ input: { kind: 'file' } }) as never },
    capacity: { objectionTo: (model) => `No room for ${model}.` },
    admit: 'when-room',
  })
  const { options } = aProcess()
  await expect(picky.start(account, 'source', options)).rejects.toMatchObject({
    code: 'machine-full',
    message: 'No room for fast.',
  })
  expect(await store.listTaken('all')).toEqual([])
})

test('of starts at once, no more are taken than there is room for', async () => {
  const launched: Process[] = []
  const picky = createProcessService({
    ...deps,
    sources: { find: async () => cameraSource },
    launcher: {
      prepare: async () => ({ input: { kind: 'file' } }) as never,
      launch(process) {
        launched.push(process)
        return { process, started: Promise.resolve() } as never
      },
    },
    capacity: { objectionTo: () => (launched.length < 2 ? undefined : 'No room.') },
    admit: 'when-room',
  })
  const { options } = aProcess()
  const roomy = { ...account, limits: { ...account.limits, maxProcesses: 100 } }
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => picky.start(roomy, 'source', options)))
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(launched).toHaveLength(2)
  expect((await store.listTaken('all')).map(({ id }) => id).sort()).toEqual(launched.map(({ id }) => id).sort())
})

describe('handing over', () => {
  /** A supervisor with one process, which `handOver` takes away unless it has ended. */
  function withLive(change: Partial<Process>, started = Promise.resolve()) {
    const handedOver: string[] = []
    const live = { process: aProcess(change), started }
    const handOver = async (id: string) => void handedOver.push(id)
    const supervisor = { ...deps.supervisor, findLive: () => live as LiveProcess, handOver }
    return { id: live.process.id, live, handedOver, service: createProcessService({ ...deps, supervisor }) }
  }

  test('a process of a stream goes on elsewhere', async () => {
    const { id, handedOver, service: own } = withLive({ state: 'running', startedAt: 1 })
    expect(await own.handOver(id)).toBe(true)
    expect(handedOver).toEqual([id])
  })

  test('one of a file stays, and one that is not here has nothing to hand over', async () => {
    const { id, handedOver, service: own } = withLive({ state: 'running', startedAt: 1, sourceType: 'file' })
    expect(await own.handOver(id)).toBe(false)
    expect(handedOver).toEqual([])
    expect(await service.handOver(id)).toBe(false)
  })

  test('one whose user waits for its first picture waits for that too', async () => {
    const started = createDeferred()
    const { id, handedOver, service: own } = withLive({ state: 'starting' }, started.promise)
    const moved = own.handOver(id)
    await new Promise(setImmediate)
    expect(handedOver).toEqual([])
    started.resolve()
    expect(await moved).toBe(true)
  })

  test('one whose start comes to nothing meanwhile stays', async () => {
    const { id, live, service: own } = withLive({ state: 'starting' }, Promise.reject(new Error('no picture')))
    live.process = { ...live.process, state: 'failed' }
    expect(await own.handOver(id)).toBe(false)
  })
})
