import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createAccountDatabase } from '../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createLog } from '../observe/log.ts'
import { createRecordingStore, type Recording } from './recordings.store.ts'
import { createSegmentList } from './segment-list.ts'
import { createSegmentStore, type SegmentStore } from './segments.store.ts'

/** How a database fails: before it has written, or so that only its answer is lost. */
type Outage = 'not written' | 'answer lost'
const patiently = { timeout: 20_000 }

describe.each(dialects)('the list of a recording on %s', (dialect) => {
  let database: TestDatabase
  let recording: Recording
  let outage: Outage | undefined
  let refused = 0
  const clock = createFakeClock()

  beforeEach(async () => {
    const { database: created, account } = await createAccountDatabase(dialect)
    database = created
    recording = { id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null }
    await createRecordingStore(database.db).insert(recording)
    ;[outage, refused] = [undefined, 0]
  })
  afterEach(() => database.remove())

  /** The store of a database that may be away. */
  function unreliable(store: SegmentStore): Pick<SegmentStore, 'insert' | 'grow' | 'end'> {
    async function attempt(write: () => Promise<void>): Promise<void> {
      const failsBy = outage
      if (failsBy !== 'not written') await write()
      if (!failsBy) return
      refused += 1
      throw new Error('The database is away.')
    }
    return {
      insert: (segment) => attempt(() => store.insert(segment)),
      grow: (id, sizeBytes) => attempt(() => store.grow(id, sizeBytes)),
      end: (id, change) => attempt(() => store.end(id, change)),
    }
  }

  function createRig(liveForMs = () => 3_600_000, restMs?: number) {
    const store = createSegmentStore(database.db)
    const measured: number[] = []
    const unreadable = new Set<string>()
    const list = createSegmentList({
      recording,
      dataDir: '/data',
      segments: unreliable(store),
      restMs,
      async closeSegment(id, path, maxDurationMs) {
        measured.push(maxDurationMs)
        if (unreadable.has(path)) return undefined
        await unreliable(store).end(id, { durationMs: 700, sizeBytes: 7, index: null })
        return 700
      },
      liveForMs,
      steadyMs: liveForMs,
      clock,
      log: createLog({ level: 'silent' }),
    })
    const file = (name: string) => `/data/${name}.mp4`
    const index = null
    return {
      list,
      measured,
      unreadable,
      start: (name: string, startedAtMs: number, lateMs = 0) =>
        list.note({ type: 'segment-started', file: file(name), startedAtMs, steadyMs: liveForMs() - lateMs }),
      grow: (name: string, sizeBytes: number) => list.note({ type: 'segment-grown', file: file(name), sizeBytes }),
      end: (name: string, durationMs: number, sizeBytes: number, startedAtMs = 0) =>
        list.note({ type: 'segment-ended', file: file(name), startedAtMs, durationMs, sizeBytes, index }),
      listed: async () => {
        const rows = (await createRecordingStore(database.db).find(recording.accountId, recording.id))!.segments
        return rows.map(({ file: path, durationMs, sizeBytes }) => [path, durationMs, sizeBytes])
      },
      settle: async () => {
        outage = undefined
        await clock.advance(1_000)
      },
    }
  }

  test.each([
    [undefined, null],
    [3_600_000, 3_607_000],
  ])('a file goes after its rest, if it has one: %s', async (restMs, restUntil) => {
    const { start, list } = createRig(() => 3_600_000, restMs)
    start('a', 7_000)
    await list.flush()
    const rows = await database.db.selectFrom('recording_segment').select('rest_until').execute()
    expect(rows).toEqual([{ rest_until: restUntil }])
  })

  test.each<Outage>(['not written', 'answer lost'])(
    'what happened at a segment’s boundary while the database was away is listed afterwards: %s',
    async (failsBy) => {
      const { start, grow, end, listed, settle } = createRig()
      start('a', 0)
      await expect.poll(listed, patiently).toEqual([['a.mp4', null, 0]])

      outage = failsBy
      const isWaiting = clock.nextSleep()
      end('a', 60_000, 600)
      start('b', 60_000)
      for (let sizeBytes = 1; sizeBytes < 5_000; sizeBytes++) grow('b', sizeBytes)
      end('b', 60_000, 5_000)
      start('c', 120_000)
      await isWaiting
      const isWaitingAgain = clock.nextSleep()
      await clock.advance(1_000)
      await isWaitingAgain
      expect(refused).toBe(2)

      await settle()
      const expected = [
        ['a.mp4', 60_000, 600],
        ['b.mp4', 60_000, 5_000],
        ['c.mp4', null, 0],
      ]
      await expect.poll(listed, patiently).toEqual(expected)
      end('c', 1_000, 10)
      await expect.poll(listed, patiently).toEqual([...expected.slice(0, 2), ['c.mp4', 1_000, 10]])
    },
  )

  test('no more is recorded than passed, also when it is written later', async () => {
    let liveMs = 1_000.25
    const { start, end, listed, list, measured, settle } = createRig(() => liveMs)
    outage = 'not written'
    const isWaiting = clock.nextSleep()
    start('a', 0)
    end('a', 50_000, 600)
    start('b', 1_000)
    liveMs = 2_500.75
    list.onWorkerExit()
    await isWaiting
    liveMs = 600_000
    await settle()
    const expected = [
      ['a.mp4', 1_000, 600],
      ['b.mp4', 700, 7],
    ]
    await expect.poll(listed, patiently).toEqual(expected)
    expect(measured).toEqual([1_500])
  })

  test('what is missed between two segments is measured by the time that passed, whatever their clock says', async () => {
    let liveMs = 0
    const { start, end, list } = createRig(() => liveMs)
    start('a', 0)
    liveMs = 60_000
    end('a', 60_000, 600)
    start('b', 3_660_000)
    liveMs = 64_000
    list.onWorkerExit()
    start('c', 3_664_000)
    await list.flush()
    const found = await createRecordingStore(database.db).find(recording.accountId, recording.id)
    expect(found!.segments.map(({ gapMs }) => gapMs)).toEqual([null, 0, 3_300])
  })

  test('when a file has ended it is known better when it began', async () => {
    const { start, end, list } = createRig()
    start('a', 5_000)
    end('a', 60_000, 600, 2_000)
    await list.flush()
    const found = await createRecordingStore(database.db).find(recording.accountId, recording.id)
    expect(found!.segments).toMatchObject([{ startedAt: 2_000, durationMs: 60_000 }])
  })

  test('what is missed is seen also where a segment’s start was heard of late', async () => {
    let liveMs = 5_000
    const { start, end, list } = createRig(() => liveMs)
    start('a', 0, 5_000)
    liveMs = 64_000
    end('a', 60_000, 600)
    start('b', 64_000)
    await list.flush()
    const found = await createRecordingStore(database.db).find(recording.accountId, recording.id)
    expect(found!.segments.map(({ gapMs }) => gapMs)).toEqual([null, 4_000])
  })

  test('a file that cannot be read when its worker died holds up none that comes after it', async () => {
    const { start, end, listed, list, unreadable } = createRig()
    unreadable.add('a.mp4')
    start('a', 0)
    list.onWorkerExit()
    start('b', 60_000)
    end('b', 1_000, 10)
    list.onWorkerExit()
    await list.flush()
    expect(await listed()).toEqual([
      ['a.mp4', null, 0],
      ['b.mp4', 1_000, 10],
    ])
  })

  test('stopping does not wait for a database that is away; it can be done again', async () => {
    const { start, end, listed, list } = createRig()
    outage = 'not written'
    start('a', 0)
    end('a', 60_000, 600)
    const flushed = list.flush()
    await expect(flushed).rejects.toThrow('The database is away.')
    await expect(list.flush()).rejects.toThrow('The database is away.')
    outage = undefined
    await list.flush()
    expect(await listed()).toEqual([['a.mp4', 60_000, 600]])
  })
})
