import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aLookAt, aSceneAt, type SeenIds } from '../../test/builders/recorded-looks.ts'
import { aSource } from '../../test/builders/source.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { type ProcessBrief } from '../core/events.ts'
import { DatabaseAway } from '../core/outages.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { createLog } from '../observe/log.ts'
import { type Source } from '../sources/source.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { createDetectionFileStore, type DetectionFileStore } from './detection-files.store.ts'
import { createDetectionRecorder, type DetectionRecorder } from './detection-recorder.ts'
import { blocksWithin, looksOf } from './look-files.ts'
import { mendFiles } from './mend-files.ts'
import { parseMinutes } from './minute-counts.ts'

const HOUR_MS = 3_600_000
const folder = useTemporaryFolder('aerie-detections-')
let database: TestDatabase
let clock: FakeClock
let source: Source
let accountId: string
let logged: string[]
let hasRoom: boolean
let isAway: boolean
const created: DetectionRecorder[] = []
beforeEach(async () => {
  logged = []
  hasRoom = true
  isAway = false
  clock = createFakeClock(Date.UTC(2026, 10, 16, 3))
  database = await createMigratedDatabase('sqlite')
  const { account } = await addAccount(database, { username: 'admin', minutes: 10 })
  accountId = account.id
  source = aSource({ accountId })
  await createSourceStore(database.db).insertWithinLimits(account, source)
})
afterEach(async () => {
  for (const recorder of created.splice(0)) await recorder.close()
  await database.remove()
})

const log = createLog({ level: 'warn', write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) })

/** The store, which can be away. */
function unreliable(store: DetectionFileStore): DetectionFileStore {
  const away = () => Promise.reject(new DatabaseAway(new Error('gone')))
  return new Proxy(store, { get: (target, name) => (isAway ? away : (Reflect.get(target, name) as unknown)) })
}

function createRecorder(): DetectionRecorder {
  const recorder = createDetectionRecorder({
    dataDir: folder(),
    store: unreliable(createDetectionFileStore(database.db)),
    room: { hasRoom: async () => hasRoom },
    node: null,
    clock,
    log,
  })
  created.push(recorder)
  return recorder
}

const brief = (processId = 'p'): ProcessBrief => ({ processId, accountId, sourceId: source.id, sourceUrl: '', isReported: false }) // prettier-ignore

/** So many seconds after the beginning. */
function see(recorder: DetectionRecorder, seconds: number, ids: SeenIds = [1], processId = 'p'): RecordedLook {
  const at = Date.UTC(2026, 10, 16, 3) + seconds * 1000
  recorder.onScene({ process: brief(processId), scene: aSceneAt(at, ids) })
  return aLookAt(at, ids)
}

const listRows = () => database.db.selectFrom('detection_file').selectAll().orderBy('started_at').execute()
const pathOf = ({ file }: Pick<DetectionFileRow, 'file'>) => join(folder(), file)

async function readAll(row: Pick<DetectionFileRow, 'file'>): Promise<RecordedLook[]> {
  const blocks = blocksWithin(readFileSync(pathOf(row)), { from: -Infinity, to: Infinity })
  return (await Promise.all(blocks.map(looksOf))).flat()
}

test('what is seen is in a file of its process within ten seconds, and its row says what is in it', async () => {
  const recorder = createRecorder()
  recorder.start()
  const looks = [see(recorder, 0, [1, 2]), see(recorder, 1, []), see(recorder, 61, [2, 3])]
  const isAsleep = clock.nextSleep()
  await clock.advance(10_000)
  await isAsleep
  const [row, ...others] = await listRows()
  expect(others).toEqual([])
  expect(await readAll(row!)).toEqual(looks)
  expect(row).toMatchObject({
    account_id: accountId,
    source_id: source.id,
    process_id: 'p',
    node_id: null,
    file: `detections/${source.id}/${row!.id}.looks`,
    started_at: looks[0]!.takenAtMs,
    ended_at: looks[2]!.takenAtMs,
    is_open: 1,
    looks: 3,
    size_bytes: readFileSync(pathOf(row!)).length,
  })
  expect(parseMinutes(row!.minutes)).toEqual({ classes: ['person'], m: { 0: [2, 2], 1: [2, 1] }, after: 0, last: 3 })
})

test('the same file grows on; that of the next hour is another one, and ids go on', async () => {
  const recorder = createRecorder()
  const looks: RecordedLook[] = []
  for (const [seconds, ids] of [
    [10, [1]],
    [20, [1]],
    [3590, [4]],
    [3601, [4, 5]],
  ] as const) {
    looks.push(see(recorder, seconds, ids))
    await recorder.flush()
  }
  const rows = await listRows()
  expect(rows.map((row) => row.looks)).toEqual([3, 1])
  expect([...(await readAll(rows[0]!)), ...(await readAll(rows[1]!))]).toEqual(looks)
  expect(parseMinutes(rows[1]!.minutes)).toMatchObject({ m: { 0: [2, 1] }, after: 4, last: 5 })
})

test('what is seen in the last half millisecond of an hour is of that hour', async () => {
  const recorder = createRecorder()
  for (const seconds of [3599.9997, 3600]) {
    see(recorder, seconds)
    await recorder.flush()
  }
  await recorder.end(['p'])
  const [last, next] = await listRows()
  expect([last, next]).toMatchObject([
    { started_at: clock.now() + HOUR_MS - 1, ended_at: clock.now() + HOUR_MS, is_open: 0 },
    { started_at: clock.now() + HOUR_MS, ended_at: clock.now() + HOUR_MS, is_open: 0 },
  ])
  expect([last, next].map((row) => Object.keys(parseMinutes(row!.minutes).m))).toEqual([['59'], ['0']])
})

test('a file is closed when its process ends, and when its hour is over', async () => {
  const recorder = createRecorder()
  recorder.start()
  see(recorder, 1)
  see(recorder, 1, [1], 'q')
  await recorder.end(['p'])
  expect((await listRows()).map((row) => [row.process_id, row.is_open])).toEqual([['p', 0]])
  await recorder.flush()
  const isAsleep = clock.nextSleep()
  await clock.advance(HOUR_MS + 15 * 60_000)
  await isAsleep
  expect((await listRows()).map(({ is_open: isOpen }) => isOpen)).toEqual([0, 0])
})

test('a clock that is set back over the hour, and forth, ends in two files with all that was seen', async () => {
  const recorder = createRecorder()
  const looks = [3590, 3601, 3595, 3602].map((seconds) => see(recorder, seconds))
  await recorder.flush()
  looks.push(see(recorder, 3580))
  await recorder.flush()
  const rows = await listRows()
  expect(rows).toHaveLength(2)
  const read = (await Promise.all(rows.map(readAll))).flat()
  expect(new Set(read.map(({ takenAtMs }) => takenAtMs))).toEqual(new Set(looks.map(({ takenAtMs }) => takenAtMs)))
  expect(rows[0]).toMatchObject({ started_at: looks[4]!.takenAtMs, ended_at: looks[2]!.takenAtMs })
})

test('a process that goes on after a restart begins another file, whose tracks are not new again', async () => {
  const before = createRecorder()
  see(before, 10, [1, 2])
  await before.close()
  const after = createRecorder()
  see(after, 30, [2, 3])
  await after.flush()
  const rows = await listRows()
  expect(rows.map((row) => [row.is_open, parseMinutes(row.minutes).m[0]])).toEqual([
    [0, [2, 2]],
    [1, [2, 1]],
  ])
})

test('of sources that are not recorded, of files and of those that are gone nothing is written', async () => {
  const recorder = createRecorder()
  const { db } = database
  for (const change of [
    { recording_mode: 'off' as const, record: 0 },
    { type: 'file' as const, record: 1 },
  ]) {
    await db.updateTable('source').set(change).execute()
    see(recorder, 1)
    await recorder.flush()
  }
  await db.deleteFrom('source').execute()
  see(recorder, 1)
  await recorder.flush()
  expect([await listRows(), existsSync(join(folder(), 'detections'))]).toEqual([[], false])
})

test('a mode that changes counts from then on', async () => {
  const recorder = createRecorder()
  const kept = see(recorder, 1)
  await recorder.flush()
  const setMode = (recording_mode: 'off' | 'events', record: number) =>
    database.db.updateTable('source').set({ recording_mode, record }).execute()
  await setMode('off', 0)
  see(recorder, 2)
  await recorder.flush()
  await setMode('events', 1)
  const later = see(recorder, 3)
  await recorder.flush()
  const [row] = await listRows()
  expect(await readAll(row!)).toEqual([kept, later])
})

test('while the database is away, files grow, and what would need a new one waits', async () => {
  const recorder = createRecorder()
  const looks = [see(recorder, 1)]
  await recorder.flush()
  isAway = true
  looks.push(see(recorder, 2))
  await recorder.flush()
  const waiting = [see(recorder, 3, [1], 'q'), see(recorder, 13, [1], 'q')]
  await recorder.flush()
  const [row] = await listRows()
  expect(row!.looks).toBe(1)
  expect(await readAll(row!)).toEqual(looks)
  isAway = false
  await recorder.flush()
  const rows = await listRows()
  expect(rows.map((one) => one.looks)).toEqual([2, 2])
  expect(await readAll(rows[1]!)).toEqual(waiting)
  expect(logged).toEqual(['files of what is seen could not be listed; trying again'])
})

test('without room processes go on without, until there is some again', async () => {
  const recorder = createRecorder()
  const kept = [see(recorder, 1)]
  await recorder.flush()
  hasRoom = false
  see(recorder, 2)
  await recorder.flush()
  hasRoom = true
  kept.push(see(recorder, 3))
  await recorder.flush()
  const [row] = await listRows()
  expect(await readAll(row!)).toEqual(kept)
})

test('a disk that refuses is logged once, and what comes after it is whole', async () => {
  const recorder = createRecorder()
  // Where the folder should be, there is a file: nobody can write below it, whoever he is.
  writeFileSync(join(folder(), 'detections'), '')
  for (const second of [1, 2]) {
    see(recorder, second)
    await recorder.flush()
  }
  expect(logged).toEqual(['what is seen cannot be written to the disk: processes go on without'])
  rmSync(join(folder(), 'detections'))
  const kept = see(recorder, 3)
  await recorder.flush()
  const rows = await listRows()
  expect(rows).toHaveLength(1)
  expect(await readAll(rows[0]!)).toEqual([kept])
})

test('a file that was removed is begun anew', async () => {
  const recorder = createRecorder()
  see(recorder, 1)
  await recorder.flush()
  const [row] = await listRows()
  rmSync(dirname(pathOf(row!)), { recursive: true })
  see(recorder, 2)
  await recorder.flush()
  const kept = see(recorder, 3)
  await recorder.flush()
  const rows = await listRows()
  expect(await readAll(rows.find(({ id }) => id !== row!.id)!)).toEqual([kept])
})

test('a box that is no number loses its block alone', async () => {
  const recorder = createRecorder()
  const scene = aSceneAt(clock.now())
  const [track] = scene.tracks
  recorder.onScene({ process: brief(), scene: { ...scene, tracks: [{ ...track!, box: { ...track!.box, x: NaN } }] } })
  const kept = see(recorder, 30)
  await recorder.flush()
  const [row] = await listRows()
  expect(await readAll(row!)).toEqual([kept])
  expect(logged).toEqual(['what was seen cannot be written'])
})

test('a crowd is written before ten seconds are over', async () => {
  const recorder = createRecorder()
  const crowd = Array.from({ length: 500 }, (_, index) => index + 1)
  for (const second of [0, 1, 2, 3]) see(recorder, second, crowd)
  // Whatever was begun is done first.
  await recorder.without('nobody', async () => {})
  expect((await listRows()).map((row) => row.looks)).toEqual([4])
})

test('of an account that is purged nothing is written any more', async () => {
  const recorder = createRecorder()
  see(recorder, 1)
  await recorder.flush()
  see(recorder, 2)
  await database.db.updateTable('account').set({ revoked_at: 1 }).execute()
  await recorder.without(accountId, async () => void (await database.db.deleteFrom('detection_file').execute()))
  see(recorder, 3)
  await recorder.flush()
  expect(await listRows()).toEqual([])
})

test('after a kill all but the last ten seconds are there: torn ends are cut off, rows catch up', async () => {
  const killed = createRecorder()
  const looks = [see(killed, 1, [1]), see(killed, 61, [2])]
  await killed.flush()
  const [before] = await listRows()
  // What a kill loses: the row of the last write, and half of a block.
  const stale = { looks: 1, size_bytes: 10, ended_at: before!.started_at, minutes: '{"classes":[],"m":{},"after":0,"last":0}' } // prettier-ignore
  await database.db.updateTable('detection_file').set(stale).execute()
  appendFileSync(pathOf(before!), readFileSync(pathOf(before!)).subarray(0, 40))
  const gone = { ...before!, id: 'gone', file: `detections/${source.id}/gone.looks` }
  await database.db.insertInto('detection_file').values(gone).execute()

  const store = createDetectionFileStore(database.db)
  await mendFiles(await store.listOpen(), { dataDir: folder(), store, log }, new AbortController().signal)
  expect(await listRows()).toEqual([{ ...before!, is_open: 0 }])
  expect(await readAll(before!)).toEqual(looks)
  expect(readFileSync(pathOf(before!)).length).toBe(before!.size_bytes)
  expect(readdirSync(dirname(pathOf(before!)))).toHaveLength(1)
  expect(logged).toEqual([])
})
