import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/builders/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { createLog } from '../observe/log.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createLivePaths } from '../streams/live-paths.ts'
import { type Process } from './process.ts'
import { createProcessService, type ProcessService, type ProcessSource } from './processes.service.ts'
import { createProcessStore, type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

let database: TestDatabase
let account: Account
let store: ProcessStore
let service: ProcessService
let findSource: () => Promise<ProcessSource>
let begun: string[]
let told: string[]
let lines: string[]
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
  store = createProcessStore(database.db)
  begun = []
  told = []
  lines = []
  // It looks after nobody, as after a write that was given up.
  const supervisor = { find: () => undefined, list: () => [], start: ({ id }: Process) => void begun.push(id) }
  service = createProcessService({
    store,
    streams: { livePaths: { ...createLivePaths(), isLive: () => true } },
    sources: {
      find: () => findSource(),
      fileOf: async () => undefined,
      pathToRead: async () => null,
      addUser: () => {},
    },
    supervisor: supervisor as unknown as Supervisor,
    telemetry: { begin: () => null, end: async () => {} },
    attachedOutputs: async () => [],
    outboundOf: async () => OPERATOR_RULES,
    recordingsOf: () => [],
    onState: ({ id, state }, previous) => void told.push(`${id} ${previous.state} ${state}`),
    clock: createFakeClock(5_000),
    log: createLog({ level: 'info', write: (line) => void lines.push(line) }),
  })
})
afterEach(() => database.remove())

async function add(state: Process['state']): Promise<string> {
  const process = aProcess({ accountId: account.id, state })
  await store.insertWithinLimits({ ...account, limits: { ...account.limits, maxProcesses: 100 } }, process)
  return process.id
}

const source = {
  accountId: 'a',
  id: 's',
  type: 'stream',
  inputUrl: 'rtsp://camera',
  telemetryCfg: null,
} as const

test('a process that nobody looks after can be stopped, and lets go of what it has', async () => {
  const id = await add('running')
  expect(await service.stop(account, id)).toEqual([id])
  const end = { state: 'stopped', stopReason: 'requested', stoppedAt: 5_000 }
  expect(await store.find(account.id, id)).toMatchObject(end)
  expect(told).toEqual([`${id} running stopped`])
  expect(await service.stop(account, id)).toEqual([])
})

test('so can all of them at once', async () => {
  const [running, paused] = [await add('running'), await add('paused')]
  await add('failed')
  const starting = await add('starting')
  expect(await service.stopAll(account)).toEqual([running, paused])
  expect((await store.listUnended()).map(({ id }) => id)).toEqual([starting])
})

test('what ran goes on after a restart', async () => {
  findSource = async () => source
  const id = await add('running')
  await service.recover()
  expect(begun).toEqual([id])
})

test('a process whose source is gone does not go on', async () => {
  findSource = () => Promise.reject(new AppError('source-not-found', { source_uuid: 's' }))
  const id = await add('running')
  await service.recover()
  expect(await store.find(account.id, id)).toMatchObject({ state: 'failed', stopReason: 'source-lost' })
})

test('a process that cannot be taken up again has failed, and the next one goes on', async () => {
  findSource = () => {
    findSource = async () => source
    return Promise.reject(new Error('the disk is away'))
  }
  const [first, second] = [await add('running'), await add('running')]
  await service.recover()
  expect(await store.find(account.id, first)).toMatchObject({ state: 'failed', stopReason: 'service-restart' })
  expect(begun).toEqual([second])
})

test('a process that may not be taken up again says why, in the words of the refusal', async () => {
  const refusal = new AppError('stream-not-found', { path: 'other/cam', username: 'admin' })
  findSource = () => Promise.reject(refusal)
  const id = await add('running')
  await service.recover()
  const { error } = (await store.find(account.id, id))!
  expect(error).toBe(`The service was restarted and did not take the process up again: ${refusal.message}`)
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, process_uuid: id, reason: refusal.message }),
  ])
  expect(lines.join()).not.toContain('stack')
})
