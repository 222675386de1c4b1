import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createFileRemoval, type FileRemoval } from './file-removal.ts'
import { createJobStore, type Job, type JobStore } from './jobs.store.ts'

const clock = createFakeClock()
let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'aerie-removal-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(dataDir, file)), { recursive: true })
    writeFileSync(join(dataDir, file), 'x')
  }
}

describe('on this disk', () => {
  const here = () => createFileRemoval({ dataDir, jobStore: { add: async () => {} }, clock })

  test('files go, and their folder with the last of them', async () => {
    write('detections/cam/1.looks', 'detections/cam/2.looks', 'events/p/1.jpg')
    await here().removeHere(['detections/cam/1.looks', 'events/p/1.jpg', 'events/p/gone.jpg'])
    expect(readdirSync(join(dataDir, 'detections/cam'))).toEqual(['2.looks'])
    expect(readdirSync(join(dataDir, 'events'))).toEqual([])
    await here().removeHere(['detections/cam/2.looks'])
    expect(readdirSync(join(dataDir, 'detections'))).toEqual([])
  })

  test.each(['aerie.db', 'recordings/s/r/1.mp4', 'clips/../aerie.db', 'clips'])('%s is none of these', async (file) => {
    write('aerie.db', 'recordings/s/r/1.mp4', 'clips/a/1.mp4')
    await here().removeHere([file])
    for (const kept of ['aerie.db', 'recordings/s/r/1.mp4', 'clips/a/1.mp4'])
      expect(existsSync(join(dataDir, kept))).toBe(true)
  })
})

describe.each(dialects)('on the disk of another node, by %s', (dialect) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    await addNodeRow(database.db, 'a')
  })
  afterEach(() => database.remove())

  const storeOf = (id: string) => createJobStore(database, { id, epoch: 7 })
  const removalOf = (jobStore: JobStore): FileRemoval => createFileRemoval({ dataDir, jobStore, clock })
  const claimAt = (id: string): Promise<Job[]> => storeOf(id).claim('file-removal', 10, id, clock.now(), 1e15, 1e15)
  const leave = (nodeId: string, files: readonly string[], fail = false) =>
    database.db.transaction().execute(async (tx) => {
      await removalOf(storeOf('b')).leaveTo(nodeId, files, tx)
      if (fail) throw new Error('the row stays')
    })

  test('that node removes them, and no other', async () => {
    write('clips/a/1-1.mp4', 'clips/a/1-2.mp4')
    await leave('a', ['clips/a/1-1.mp4', 'clips/a/1-2.mp4'])
    expect(await claimAt('b')).toEqual([])
    const [job] = await claimAt('a')
    await removalOf(storeOf('a')).job.handle(job!, new AbortController().signal)
    expect(readdirSync(join(dataDir, 'clips'))).toEqual([])
  })

  test('nothing is removed where their rows stay, and by a node that was forgotten', async () => {
    await expect(leave('a', ['clips/a/1.mp4'], true)).rejects.toThrow('the row stays')
    await leave('forgotten', ['clips/a/1.mp4'])
    expect(await database.db.selectFrom('job').selectAll().execute()).toEqual([])
  })

  test('as many as there are', async () => {
    const files = Array.from({ length: 1_200 }, (_, index) => `events/p/${index}.jpg`)
    await leave('a', files)
    const jobs = await claimAt('a')
    expect(jobs.flatMap(({ payload }) => (payload as { files: string[] }).files)).toEqual(files)
  })
})

test('it is tried for ever', () => {
  const { job } = createFileRemoval({ dataDir, jobStore: { add: async () => {} }, clock })
  const failed = { id: 'j', kind: job.kind, payload: { files: [] }, attempts: 1_000, createdAt: 0 }
  expect(job.onFailure!(failed, 1e12)).toMatchObject({ do: 'retry' })
})
