import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/builders/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { type Job } from '../storage/jobs.store.ts'
import { createRecordingKeeper } from './recording-keeper.ts'
import { createRecordingStore } from './recordings.store.ts'

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

/** Three segments of 100 bytes, a day apart, and a keeper with this much room left. */
async function setUp(leftBytes: number) {
  const store = createRecordingStore(database.db)
  const { account } = await addAccount(database, { username: 'admin' })
  await store.insert({ id: 'r', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 3 * DAY_MS })
  for (const day of [0, 1, 2]) {
    writeFileSync(join(dataDir, `${day}.mp4`), 'x')
    await store.insertSegment({
      id: `${day}`,
      recordingId: 'r',
      file: `${day}.mp4`,
      startedAt: day * DAY_MS,
      durationMs: 1000,
      sizeBytes: 100,
    })
  }
  const clock = createFakeClock(0)
  const recorder = {
    isPaused: false,
    pause: async () => void (recorder.isPaused = true),
    resume: async () => void (recorder.isPaused = false),
  }
  const room = { leftBytes }
  const budget = { count: () => {}, state: async () => ({ usedBytes: 0, limitBytes: 0, leftBytes: room.leftBytes }) }
  const keeper = createRecordingKeeper({ dataDir, store, recorder, budget, clock, log: createLog({ level: 'silent' }) })
  const run = (kind: string) =>
    keeper.jobs.find((job) => job.kind === kind)!.handle({} as Job, new AbortController().signal)
  const left = () => [0, 1, 2].filter((day) => existsSync(join(dataDir, `${day}.mp4`)))
  return { clock, recorder, room, run, left }
}

test('what is older than a week goes, file and row', async () => {
  const { clock, run, left } = await setUp(0)
  await clock.advance(8 * DAY_MS + 1)
  await run('recording-retention')
  expect(left()).toEqual([2])
  expect(await database.db.selectFrom('recording_segment').select('id').execute()).toEqual([{ id: '2' }])
})

test('over the budget the oldest goes first, and only as much as needed', async () => {
  const { recorder, run, left } = await setUp(-150)
  await run('disk-budget')
  expect(left()).toEqual([2])
  expect(recorder.isPaused).toBe(false)
})

test('with nothing left to remove recording stops, and goes on when there is room', async () => {
  const { recorder, room, run, left } = await setUp(-1e9)
  await run('disk-budget')
  expect(left()).toEqual([])
  expect(recorder.isPaused).toBe(true)
  room.leftBytes = 1e9
  await run('disk-budget')
  expect(recorder.isPaused).toBe(false)
})
