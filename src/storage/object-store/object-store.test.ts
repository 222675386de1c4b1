import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccountDatabase } from '../../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../../test/support/databases.ts'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { systemClock } from '../../core/clock.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { createLog } from '../../observe/log.ts'
import { createDiskBudget } from '../disk-budget.ts'
import { createJobStore, type Job } from '../jobs.store.ts'
import { createObjectStore } from './object-store.module.ts'

const HOUR_MS = 3_600_000
const signal = new AbortController().signal

describe.each(dialects)('the object store, with rows on %s', (dialect) => {
  let database: TestDatabase
  let accountId: string
  let dataDir: string
  let s3: S3Server
  const closings: (() => Promise<void>)[] = []
  beforeEach(async () => {
    const created = await createAccountDatabase(dialect)
    database = created.database
    accountId = created.account.id
    dataDir = mkdtempSync(join(tmpdir(), 'aerie-store-'))
    s3 = await startS3Server()
  })
  afterEach(async () => {
    for (const close of closings.splice(0)) await close()
    await s3.remove()
    await database.remove()
    rmSync(dataDir, { recursive: true })
  })

  function write(file: string, content = file): void {
    mkdirSync(dirname(join(dataDir, file)), { recursive: true })
    writeFileSync(join(dataDir, file), content)
  }
  const isOnDisk = (file: string) => existsSync(join(dataDir, file))

  /** A service whose only feature has these files. */
  function setUp(files: Set<string>, change: Partial<ObjectStoreConfig> = {}, budgetBytes = 1_000_000) {
    const inUse = new Set<string>()
    const time = { passedMs: 0 }
    const clock = {
      ...systemClock,
      now: () => Date.now() + time.passedMs,
      steady: () => performance.now() + time.passedMs,
    }
    const log = createLog({ level: 'silent' })
    const jobStore = createJobStore(database)
    const budget = createDiskBudget({ folder: dataDir, fixedBytes: budgetBytes, db: database.db, clock, log })
    const { places, jobs, status, close } = createObjectStore({
      dataDir,
      config: s3.config(change),
      db: database.db,
      jobStore,
      runner: { wake() {} },
      budget,
      metrics: { addGauge() {} },
      clock,
      log,
    })
    closings.push(close)
    places.add({
      kind: 'videos',
      async *listSettled() {
        yield [...files].map((file) => ({ file, accountId }))
      },
      isInUse: async (file) => inUse.has(file),
    })
    budget.count({
      heldBytes: async () => places.withoutStored('videos', new Map([[accountId, [...files].join('').length]])),
    })
    const [put, removal] = jobs
    return {
      places,
      budget,
      inUse,
      status,
      pass: async (passedMs = 10_000) => {
        time.passedMs += passedMs
        await put!.handle({} as Job, signal)
      },
      runRemovals: async () => {
        const claimed = await jobStore.claim(removal!.kind, 10, 'test', clock.now(), clock.now() + HOUR_MS, HOUR_MS)
        for (const job of claimed) {
          await removal!.handle(job, signal)
          await jobStore.complete(job.id, 'test')
        }
        return claimed.length
      },
    }
  }

  test('a file is put, stays on the disk for as long as it is kept there, and is read from the store then', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { places, pass, status } = setUp(new Set([file]), { keepLocalMs: HOUR_MS })
    await pass()
    expect(s3.keys()).toEqual([expect.stringMatching(/^videos\/a\/1-[0-9a-f]{8}\.mp4$/)])
    expect(isOnDisk(file)).toBe(true)
    await pass(HOUR_MS)
    expect(isOnDisk(file)).toBe(false)
    expect(await status()).toEqual({
      stored: { files: 1, bytes: file.length },
      waiting: { files: 0, bytes: 0 },
      lastError: null,
    })
    expect((await places.read(file))!.toString()).toBe(file)
    expect(await places.read('videos/a/unknown.mp4')).toBeUndefined()
    const stored = await places.kept(file).inStore()
    const { body, status: code } = await stored!.open({ range: 'bytes=0-5', signal })
    expect([code, (await buffer(body)).toString()]).toEqual([206, 'videos'])
    await expect(stored!.open({ range: 'bytes=900-', signal })).rejects.toMatchObject({ code: 'range-not-satisfiable' })
  })

  test('what is removed is removed from the store, however late that succeeds', async () => {
    const files = new Set(['videos/a/1.mp4', 'videos/a/2.mp4'])
    for (const file of files) write(file)
    const { places, pass, runRemovals } = setUp(files)
    await pass()
    await s3.stop()
    await places.forget(['videos/a/1.mp4'])
    await expect(runRemovals()).rejects.toThrow('cannot be reached')
    await s3.start()
    await places.forget({ folder: 'videos/a' })
    expect(await places.listFiles('videos')).toEqual([])
    expect(await runRemovals()).toBe(1)
    await database.db.updateTable('job').set({ lease_until: 0 }).execute()
    await runRemovals()
    expect(s3.keys()).toEqual([])
  })

  test('a crash between the put and its row puts the same object again', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { pass } = setUp(new Set([file]), { keepLocalMs: HOUR_MS })
    await pass()
    const before = s3.keys()
    await database.db.updateTable('stored_file').set({ place: 'disk' }).execute()
    await setUp(new Set([file]), { keepLocalMs: HOUR_MS }).pass()
    expect(s3.keys()).toEqual(before)
    expect(isOnDisk(file)).toBe(true)
  })

  test('a crash between the disk and the row is put right, and so is a disk that was lost', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { places, pass } = setUp(new Set([file]), { keepLocalMs: HOUR_MS })
    await pass()
    rmSync(join(dataDir, file))
    expect((await places.read(file))!.toString()).toBe(file)
    await pass(HOUR_MS)
    expect(await places.listStored('videos/a')).toEqual(new Map([[file, file.length]]))
    expect(await database.db.selectFrom('stored_file').select('place').execute()).toEqual([{ place: 'store' }])
  })

  test('without room copies leave the disk before anything is lost, unless somebody reads them', async () => {
    const files = new Set(['videos/a/1.mp4', 'videos/a/2.mp4', 'videos/a/3.mp4'])
    for (const file of files) write(file)
    const { budget, inUse, pass } = setUp(files, { keepLocalMs: HOUR_MS }, 30)
    inUse.add('videos/a/1.mp4')
    await pass()
    expect((await budget.state()).usedBytes).toBe(42)
    await budget.trim()
    expect((await budget.state()).usedBytes).toBe(28)
    expect([...files].map(isOnDisk).filter(Boolean)).toHaveLength(2)
    expect(isOnDisk('videos/a/1.mp4')).toBe(true)
  })

  test('what is only in the store is fetched for those who need its path, once for all of them, and stays a while', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { places, pass } = setUp(new Set([file]))
    await pass()
    expect(isOnDisk(file)).toBe(false)
    const paths = await Promise.all([places.bring(file), places.bring(file)])
    expect(paths).toEqual([join(dataDir, file), join(dataDir, file)])
    expect(readFileSync(paths[0]!, 'utf8')).toBe(file)
    await pass()
    expect(isOnDisk(file)).toBe(true)
    await pass(HOUR_MS)
    expect(isOnDisk(file)).toBe(false)
    expect(await places.bring('videos/a/unknown.mp4')).toBeUndefined()
    await s3.stop()
    await expect(places.bring(file)).rejects.toMatchObject({ code: 'object-store-unusable' })
    expect(await places.read(file)).toBeUndefined()
    expect(existsSync(join(dataDir, `${file}.fetching`))).toBe(false)
  })

  test('a copy that was lost from the disk is fetched again where there is no room for it but its own', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { places, budget, pass } = setUp(new Set([file]), { keepLocalMs: HOUR_MS }, file.length - 1)
    await pass()
    rmSync(join(dataDir, file))
    expect(readFileSync((await places.bring(file))!, 'utf8')).toBe(file)
    await budget.trim()
    expect(isOnDisk(file)).toBe(false)
  })

  test('a wrong secret keeps files on the disk, and is said', async () => {
    const file = 'videos/a/1.mp4'
    write(file)
    const { pass, status } = setUp(new Set([file]), { secret: 'wrong' })
    await pass()
    expect(isOnDisk(file)).toBe(true)
    expect(await status()).toMatchObject({
      waiting: { files: 1 },
      lastError: { sentence: expect.stringContaining('AERIE_OBJECT_STORE_SECRET') },
    })
  })
})
