import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createDiskBudget } from '../storage/disk-budget.ts'
import { type Job } from '../storage/jobs.store.ts'
import { type StoppedAccounts } from './recorder.ts'
import { createRecordingKeeper, RECORDING_REMOVAL } from './recording-keeper.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSegmentStore } from './segments.store.ts'

const DAY_MS = 86_400_000
let database: TestDatabase
let dataDir: string
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  dataDir = mkdtempSync(join(tmpdir(), 'aerie-keeper-'))
})
afterEach(async () => {
  await database.remove()
  rmSync(dataDir, { recursive: true })
})

interface Recorded {
  readonly username: string
  readonly days: readonly number[]
}

/** Segments of 100 bytes, a day apart, and a keeper with this budget. */
async function setUp(fixedBytes: number, ...recorded: Recorded[]) {
  const store = createRecordingStore(database.db)
  const segments = createSegmentStore(database.db)
  const ids = new Map<string, string>()
  for (const { username, days } of recorded) {
    const { account } = await addAccount(database, { username })
    ids.set(account.id, username)
    const recording = { id: username, accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0 }
    await store.insert({ ...recording, endedAt: 3 * DAY_MS })
    for (const day of days) {
      const file = `${username}-${day}.mp4`
      writeFileSync(join(dataDir, file), 'x')
      await segments.insert({
        id: file,
        recordingId: username,
        accountId: account.id,
        file,
        startedAt: day * DAY_MS,
        durationMs: 1000,
        sizeBytes: 100,
        gapMs: null,
      })
    }
  }
  const clock = createFakeClock(0)
  let stopped: StoppedAccounts = new Set()
  const recorder = {
    setStopped: async (accounts: StoppedAccounts) => void (stopped = accounts),
    isStopped: (accountId: string) => stopped === 'all' || stopped.has(accountId),
  }
  const uploaded = new Map<string, number>()
  const log = createLog({ level: 'silent' })
  const disk = { leftBytes: 0 }
  const budget = createDiskBudget({ folder: dataDir, fixedBytes, db: database.db, clock, log })
  const trim = async () => {
    const state = await budget.trim()
    return state && { ...state, diskLeftBytes: state.diskLeftBytes + disk.leftBytes }
  }
  const keeper = createRecordingKeeper({ dataDir, segments, places: diskOnly(dataDir), recorder, clock, log })
  budget.count(keeper.kept)
  budget.count({ heldBytes: async () => new Map([...ids].map(([id, username]) => [id, uploaded.get(username) ?? 0])) })
  const sweep = () => keeper.jobs[0]!.handle({} as Job, new AbortController().signal)
  const pass = async () => keeper.onPass(await trim())
  const stoppedNow = () => (stopped === 'all' ? stopped : [...stopped].map((id) => ids.get(id)))
  return { segments, keeper, clock, uploaded, disk, sweep, pass, stoppedNow }
}
const left = () => readdirSync(dataDir).map((name) => name.replace('.mp4', ''))
const admin = { username: 'admin', days: [0, 1, 2] }

test('what is older than a week goes, file and row', async () => {
  const { clock, sweep } = await setUp(1_000, admin)
  await clock.advance(8 * DAY_MS + 1)
  await sweep()
  expect(left()).toEqual(['admin-2'])
  expect(await database.db.selectFrom('recording_segment').select('id').execute()).toEqual([{ id: 'admin-2.mp4' }])
})

test('a file that cannot be removed keeps none of the others, and is tried again', async () => {
  const { clock, sweep, keeper } = await setUp(1_000, admin)
  const file = join(dataDir, 'admin-0.mp4')
  rmSync(file)
  mkdirSync(join(file, 'in-the-way'), { recursive: true })
  await clock.advance(8 * DAY_MS + 1)
  await sweep()
  expect(left()).toEqual(['admin-0', 'admin-2'])
  const { id } = await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()
  await expect(keeper.removeAllOf(id)).rejects.toThrow()
  expect(left()).toEqual(['admin-0'])
  rmSync(file, { recursive: true })
  await sweep()
  expect(await database.db.selectFrom('recording_segment').select('id').execute()).toEqual([])
})

test('over the budget the oldest goes first, and only as much as needed', async () => {
  const { pass, stoppedNow } = await setUp(150, admin)
  await pass()
  expect(left()).toEqual(['admin-2'])
  expect(stoppedNow()).toEqual([])
})

test('over the budget what is of no importance goes first, however new it is', async () => {
  const { pass } = await setUp(150, admin)
  const mark = database.db.updateTable('recording_segment').set({ importance: 1 })
  await mark.where('id', '=', 'admin-0.mp4').execute()
  await pass()
  expect(left()).toEqual(['admin-0'])
})

test('what is being recorded is counted, and stays', async () => {
  const { segments, keeper, pass } = await setUp(150, admin)
  const { id: accountId } = await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()
  const written = {
    id: 'now',
    recordingId: 'admin',
    accountId,
    file: 'now.mp4',
    startedAt: -1,
    sizeBytes: 120,
    gapMs: null,
  }
  await createRecordingStore(database.db).end('admin', null)
  await segments.insert({ ...written, durationMs: null })
  expect(await keeper.kept.heldBytes()).toEqual(new Map([[accountId, 420]]))
  expect(await keeper.kept.removal!.writingBytes()).toEqual(new Map([[accountId, 120]]))
  await pass()
  expect(await keeper.kept.heldBytes()).toEqual(new Map([[accountId, 120]]))
})

test('an account above its share loses its own, and nobody else older ones', async () => {
  const { pass } = await setUp(400, { username: 'bob', days: [0, 1] }, { username: 'mallory', days: [2, 3, 4, 5] })
  await pass()
  expect(left()).toEqual(['bob-0', 'bob-1', 'mallory-4', 'mallory-5'])
})

test('with nothing left to remove recording stops for those above their share, and goes on when there is room', async () => {
  const { uploaded, pass, stoppedNow } = await setUp(
    4 * 2 ** 20,
    { username: 'bob', days: [0] },
    { username: 'mallory', days: [1] },
  )
  uploaded.set('mallory', 5 * 2 ** 20)
  await pass()
  expect(left()).toEqual(['bob-0'])
  expect(stoppedNow()).toEqual(['mallory'])
  uploaded.set('mallory', 3.5 * 2 ** 20)
  await pass()
  expect(stoppedNow()).toEqual(['mallory'])
  uploaded.set('mallory', 2.5 * 2 ** 20)
  await pass()
  expect(stoppedNow()).toEqual([])
})

test('on a full disk recording stops for all', async () => {
  const { disk, pass, stoppedNow } = await setUp(2 ** 40, admin)
  disk.leftBytes = -(2 ** 50)
  await pass()
  expect(stoppedNow()).toBe('all')
  disk.leftBytes = 2 ** 50
  await pass()
  expect(stoppedNow()).toEqual([])
})

test('what was left to this node is removed from its disk, also if it is gone already', async () => {
  const { keeper } = await setUp(1_000_000)
  const removal = keeper.jobs.find(({ kind }) => kind === RECORDING_REMOVAL)!
  const file = 'recordings/s/r1/1.mp4'
  mkdirSync(join(dataDir, dirname(file)), { recursive: true })
  writeFileSync(join(dataDir, file), 'x')
  const job = { id: 'j', kind: RECORDING_REMOVAL, payload: { file }, attempts: 1, createdAt: 0 }
  for (let times = 0; times < 2; times++) await removal.handle(job, new AbortController().signal)
  expect(readdirSync(join(dataDir, 'recordings/s'))).toEqual([])
})

test.each(['aerie.db', 'recordings/../aerie.db'])('a job that somebody made up does not remove %s', async (file) => {
  const { keeper } = await setUp(1_000_000)
  writeFileSync(join(dataDir, 'aerie.db'), 'x')
  const removal = keeper.jobs.find(({ kind }) => kind === RECORDING_REMOVAL)!
  const job = { id: 'j', kind: RECORDING_REMOVAL, payload: { file }, attempts: 1, createdAt: 0 }
  await removal.handle(job, new AbortController().signal)
  expect(readdirSync(dataDir)).toEqual(['aerie.db'])
})
