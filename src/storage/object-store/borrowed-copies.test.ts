import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useAccountDatabase } from '../../../test/support/account-database.ts'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../core/clock.ts'
import { createLog } from '../../observe/log.ts'
import { createDiskBudget } from '../disk-budget.ts'
import { createJobStore, type Job } from '../jobs.store.ts'
import { createObjectStore } from './object-store.module.ts'

const signal = new AbortController().signal
const FILE = 'videos/a/1.mp4'
const folder = useTemporaryFolder('aerie-borrowed-')
const created = useAccountDatabase('sqlite')
let s3: S3Server
beforeEach(async () => void (s3 = await startS3Server()))
afterEach(() => s3.remove())

/** A node on the bucket of all; the file is that of the node `north`. */
function setUp(nodeId: string) {
  const { database, account } = created()
  const dataDir = join(folder(), nodeId)
  const log = createLog({ level: 'silent' })
  const time = { passedMs: 0 }
  const clock = {
    ...systemClock,
    now: () => Date.now() + time.passedMs,
    steady: () => performance.now() + time.passedMs,
  }
  const budget = createDiskBudget({ folder: dataDir, fixedBytes: 1_000_000, db: database.db, clock, log })
  const inUse = new Set<string>()
  const store = createObjectStore({
    dataDir,
    config: s3.config({ keepLocalMs: 24 * 3_600_000 }),
    node: { id: nodeId, epoch: 1 },
    db: database.db,
    jobStore: createJobStore(database),
    runner: { wake() {} },
    budget,
    metrics: { addGauge() {} },
    clock,
    log,
  })
  store.places.add({
    kind: 'videos',
    async *listSettled() {
      yield nodeId === 'north' ? [{ file: FILE, accountId: account.id }] : []
    },
    isInUse: async (file) => inUse.has(file),
  })
  const pathOf = (file: string) => join(dataDir, file)
  mkdirSync(dirname(pathOf(FILE)), { recursive: true })
  if (nodeId === 'north') writeFileSync(pathOf(FILE), 'a video')
  return {
    ...store,
    inUse,
    pathOf,
    async usedBytes() {
      await budget.trim(signal)
      return (await budget.state()).usedBytes
    },
    async pass(passedMs = 10_000) {
      time.passedMs += passedMs
      await store.jobs[0]!.handle({} as Job, signal)
    },
  }
}

const rowOf = () =>
  created().database.db.selectFrom('stored_file').select(['node_id', 'place', 'local_at']).executeTakeFirst()

async function putByNorth() {
  const north = setUp('north')
  await north.pass()
  expect(await rowOf()).toMatchObject({ node_id: 'north', place: 'both' })
  return north
}

test('what is fetched of another node’s files is that node’s still, and leaves when nobody has used it for a while', async () => {
  const north = await putByNorth()
  const before = await rowOf()
  const south = setUp('south')
  const path = (await south.places.bring(FILE))!
  expect(readFileSync(path, 'utf8')).toBe('a video')
  expect(await rowOf()).toEqual(before)
  expect(await south.usedBytes()).toBe('a video'.length)
  await south.pass(500_000)
  expect(await south.places.bring(FILE)).toBe(path)
  await south.pass(500_000)
  expect(existsSync(path)).toBe(true)
  south.inUse.add(FILE)
  await south.pass(700_000)
  expect(existsSync(path)).toBe(true)
  south.inUse.clear()
  await south.pass()
  expect(existsSync(path)).toBe(false)
  expect(await south.usedBytes()).toBe(0)
  expect(existsSync(north.pathOf(FILE))).toBe(true)
  expect(readFileSync((await south.places.bring(FILE))!, 'utf8')).toBe('a video')
})

test('a service that starts has none of those that an earlier one had fetched', async () => {
  await putByNorth()
  const path = (await setUp('south').places.bring(FILE))!
  const next = setUp('south')
  await next.restore()
  expect(existsSync(path)).toBe(false)
})
