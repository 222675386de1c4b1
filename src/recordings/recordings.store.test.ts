import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn } from '../../test/builders/account.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { createAccountDatabase } from '../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { createStoredFileStore } from '../storage/object-store/stored-files.store.ts'
import { createRecordingStore } from './recordings.store.ts'
import { toRecordingRecord } from './recordings.schema.ts'
import { createSegmentStore, type SegmentStore } from './segments.store.ts'

const DAY_MS = 86_400_000

describe.each(dialects)('recordings on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  beforeEach(async () => void ({ database, account } = await createAccountDatabase(dialect)))
  afterEach(() => database.remove())

  const createStores = () => ({
    store: createRecordingStore(database.db),
    segments: createSegmentStore(database.db),
  })
  const aSegment = (accountId: string) => ({
    id: 'a',
    recordingId: 'r1',
    accountId,
    file: 'a.mp4',
    startedAt: 0,
    durationMs: 1000,
    sizeBytes: 10,
    gapMs: null,
  })

  test('recordings of a child are kept no longer than those of its master', async () => {
    const { service } = accountsOn(database)
    const { account: boss } = await service.createMaster('boss', { rights: { recording_retention_days: 2 } })
    const given = { username: 'child', minutes: 0, recording_retention_days: 30 }
    const { account: child } = await service.createChild(boss, given)
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: child.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 1 })
    await segments.insert(aSegment(child.id))
    expect(await segments.listExpired(2 * DAY_MS, 10)).toEqual([])
    expect(await segments.listExpired(2 * DAY_MS + 1, 10)).toMatchObject([{ id: 'a' }])
  })

  test('recordings: open ones are found, old ones expire by their account, the last segment takes its recording along', async () => {
    const { store, segments } = createStores()
    const recording = { id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null }
    const segment = aSegment(account.id)
    await store.insert(recording)
    await segments.insert(segment)
    await segments.insert({ ...segment, id: 'b', startedAt: DAY_MS, durationMs: null })
    expect(await store.listOpen()).toMatchObject([{ id: 'r1' }])
    await segments.grow('b', 5)
    expect(await segments.heldBytes()).toEqual(new Map([[account.id, 15]]))
    await segments.end('b', { durationMs: 2000, sizeBytes: 20, index: null })
    await store.end('r1', DAY_MS + 2000)
    expect(await store.listOpen()).toEqual([])

    expect(await segments.listExpired(7 * DAY_MS, 10)).toEqual([])
    expect((await segments.listExpired(7 * DAY_MS + 1, 10)).map(({ id }) => id)).toEqual(['a'])
    expect((await segments.listOldest(account.id, 1)).map(({ id }) => id)).toEqual(['a'])
    expect(await segments.listOldest('somebody', 1)).toEqual([])
    expect(await segments.listOfAccount(account.id)).toHaveLength(2)
    await segments.remove(segment)
    expect((await store.list(account.id, 's', { limit: 10 })).items).toMatchObject([
      { segments: [{ id: 'b', durationMs: 2000 }] },
    ])
    await segments.remove({ ...segment, id: 'b' })
    expect((await store.list(account.id, undefined, { limit: 10 })).items).toEqual([])
  })

  test('a segment is found with the name of its source; what is being written is counted apart', async () => {
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null })
    await segments.insert(aSegment(account.id))
    await segments.insert({ ...aSegment(account.id), id: 'b', durationMs: null, sizeBytes: 7 })
    expect(await segments.find('a')).toEqual({ ...aSegment(account.id), nodeId: null, alias: 'cam' })
    expect(await segments.find('c')).toBeUndefined()
    const bySource = database.db.selectFrom('recording_segment').select('id').where('source_id', '=', 's')
    expect(await bySource.orderBy('id').execute()).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(await segments.writingBytes()).toEqual(new Map([[account.id, 7]]))
    expect(await segments.heldBytes()).toEqual(new Map([[account.id, 17]]))
  })

  test('what could not be measured is being written until its recording ends, and is removed in time after that', async () => {
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null })
    await segments.insert({ ...aSegment(account.id), durationMs: null })
    const listRemovable = async () => {
      const lists = [
        segments.listExpired(8 * DAY_MS, 10),
        segments.listOldest(account.id, 10),
        segments.listOfAccount(account.id),
      ]
      return (await Promise.all(lists)).map((list) => list.map(({ id }) => id))
    }
    expect(await listRemovable()).toEqual([[], [], []])
    expect(await segments.writingBytes()).toEqual(new Map([[account.id, 10]]))
    await store.end('r1', 0)
    expect(await listRemovable()).toEqual([['a'], ['a'], ['a']])
    expect(await segments.writingBytes()).toEqual(new Map())
    // And it is measured again at the next start.
    expect(await store.listOpen()).toMatchObject([{ id: 'r1' }])
  })

  test('what is complete goes to the object store, and what is there makes no room on the disk', async () => {
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 9 })
    await segments.insert(aSegment(account.id))
    await segments.insert({ ...aSegment(account.id), id: 'b', file: 'b.mp4', startedAt: 5 })
    await segments.insert({ ...aSegment(account.id), id: 'c', file: 'c.mp4', startedAt: 6, durationMs: null })
    const listUnstored = async (after: number) => {
      const found: string[] = []
      for await (const some of segments.listUnstored(after)) found.push(...some.map(({ id }) => id))
      return found.sort()
    }
    expect(await listUnstored(-1)).toEqual(['a', 'b'])
    expect(await listUnstored(4)).toEqual(['b'])
    const stored = createStoredFileStore(database.db)
    await stored.insert([{ file: 'a.mp4', kind: 'recordings', accountId: account.id, sizeBytes: 10 }], 0)
    expect(await listUnstored(-1)).toEqual(['b'])
    const listOldest = async () => (await segments.listOldest(account.id, 10)).map(({ id }) => id)
    expect(await listOldest()).toEqual(['a', 'b', 'c'])
    const [waiting] = await stored.listWaiting(0, 1)
    await stored.setStored(waiting!, 10)
    expect(await listOldest()).toEqual(['b', 'c'])
    expect((await segments.listOfAccount(account.id)).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c'])
  })

  /** A file each second, of which the last ones are of importance: 0, 0, 1, 2. */
  async function recordRanked(restUntil: number | null): Promise<SegmentStore> {
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 9_000 })
    for (const [index, id] of ['rest', 'more', 'track', 'alert'].entries())
      await segments.insert({ ...aSegment(account.id), id, file: `${id}.mp4`, startedAt: index * 1_000, restUntil })
    for (const [importance, id] of [
      [1, 'track'],
      [2, 'alert'],
    ] as const)
      await database.db.updateTable('recording_segment').set({ importance }).where('id', '=', id).execute()
    return segments
  }
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

  test('what shows something is kept for longer, and what an alert is about for longest', async () => {
    const days = { recording_retention_days: 2, track_retention_days: 4, alert_retention_days: 6 }
    await database.db.updateTable('account').set(days).execute()
    const segments = await recordRanked(null)
    const expiredAt = async (day: number, limit = 10) => idsOf(await segments.listExpired(day * DAY_MS, limit))
    expect(await expiredAt(2)).toEqual([])
    expect(await expiredAt(3)).toEqual(['rest', 'more'])
    expect(await expiredAt(3, 1)).toEqual(['rest'])
    expect(await expiredAt(5)).toEqual(['rest', 'more', 'track'])
    expect(await expiredAt(7)).toEqual(['rest', 'more', 'track', 'alert'])
  })

  test('of what is recorded by event the rest goes after its time, each once, and never what is of importance', async () => {
    const segments = await recordRanked(3_600_000)
    const expiredAt = async (at: number, limit = 10) => idsOf(await segments.listExpired(at, limit))
    expect(await expiredAt(3_599_999)).toEqual([])
    expect((await expiredAt(3_600_000)).sort()).toEqual(['more', 'rest'])
    expect(await expiredAt(3_600_000, 1)).toHaveLength(1)
    expect((await expiredAt(8 * DAY_MS)).sort()).toEqual(['more', 'rest'])
    expect((await expiredAt(60 * DAY_MS, 3)).sort()).toEqual(['more', 'rest', 'track'])
  })

  test('without room the rest goes first, and what an alert is about last', async () => {
    const segments = await recordRanked(null)
    await database.db.updateTable('recording_segment').set({ importance: 2 }).where('id', '=', 'rest').execute()
    const listed = await segments.listOldest(account.id, 10)
    expect(listed.map(({ id, importance }) => [id, importance])).toEqual([
      ['more', 0],
      ['track', 1],
      ['rest', 2],
      ['alert', 2],
    ])
  })

  test('the object store gets nothing that goes within the hour', async () => {
    const segments = await recordRanked(3_600_000)
    const unstored: string[] = []
    for await (const some of segments.listUnstored(-1)) unstored.push(...idsOf(some))
    expect(unstored.sort()).toEqual(['alert', 'track'])
  })

  test('what was removed in the middle is a gap', async () => {
    const { store, segments } = createStores()
    await store.insert({ id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 9_000 })
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
      await segments.insert({
        ...aSegment(account.id),
        id,
        file: `${id}.mp4`,
        startedAt: index * 2_000,
        durationMs: 2_000,
        gapMs: 0,
      })
    await segments.remove({ ...aSegment(account.id), id: 'b', startedAt: 2_000 })
    const found = await store.find(account.id, 'r1')
    expect(toRecordingRecord(found!, () => '').gaps).toEqual([
      { start: '1970-01-01T00:00:02.000Z', duration_seconds: 2 },
    ])
    // As it was measured where nothing is missing.
    expect(found!.segments.map(({ gapMs }) => gapMs)).toEqual([0, null, 0])
  })

  test('the last recording of a source is found, ended or not, and gone once removed', async () => {
    const { store } = createStores()
    const recording = { accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null }
    for (const id of ['r1', 'r2']) await store.insert({ ...recording, id })
    await store.end('r2', 5)
    expect(await store.findLast('s')).toEqual({ ...recording, id: 'r2', endedAt: 5 })
    await store.remove('r2')
    expect(await store.findLast('s')).toMatchObject({ id: 'r1' })
    expect(await store.findLast('another')).toBeUndefined()
  })

  test('a recording is of the node that has its files: no other mends it, or goes on with it', async () => {
    const [alone, north] = [null, { id: 'north', epoch: 7 }].map((node) => createRecordingStore(database.db, node))
    const recording = { accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null }
    await north!.insert({ ...recording, id: 'r1' })
    expect([await alone!.listOpen(), await alone!.findLast('s')]).toEqual([[], undefined])
    expect([await north!.listOpen(), await north!.findLast('s')]).toMatchObject([[{ id: 'r1' }], { id: 'r1' }])
    await alone!.insert({ ...recording, id: 'r2' })
    expect([await north!.listOpen(), await north!.findLast('s')]).toMatchObject([[{ id: 'r1' }], undefined])
  })

  test('a node counts and lists what is on its disk; of nodes that are gone what is past its time', async () => {
    const left: string[] = []
    const leave = async (nodeId: string, file: string) => void left.push(`${nodeId} ${file}`)
    const north = createSegmentStore(database.db, { id: 'north', epoch: 7 }, leave)
    const alone = createSegmentStore(database.db)
    for (const [index, id] of ['north', 'south', 'dead', 'forgotten'].entries()) {
      if (id !== 'forgotten') await addNodeRow(database.db, id, id !== 'dead')
      const store = createRecordingStore(database.db, { id, epoch: 7 })
      await store.insert({ id, accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 9 })
      const segment = { ...aSegment(account.id), id, recordingId: id, file: `${id}.mp4`, startedAt: index }
      await north.insert(segment)
    }
    const ids = async (list: Promise<readonly { id: string }[]>) => (await list).map(({ id }) => id).sort()
    expect(await north.heldBytes()).toEqual(new Map([[account.id, 10]]))
    expect(await ids(north.listOldest(account.id, 10))).toEqual(['north'])
    const unstored: string[] = []
    for await (const some of north.listUnstored(-1)) unstored.push(...some.map(({ id }) => id))
    expect(unstored).toEqual(['north'])
    expect(await ids(north.listExpired(30 * DAY_MS, 10))).toEqual(['dead', 'forgotten', 'north'])
    expect(await ids(north.listOfAccount(account.id))).toEqual(['dead', 'forgotten', 'north', 'south'])
    expect(await alone.heldBytes()).toEqual(new Map([[account.id, 40]]))
    // What is held of a source is asked of the service, and not of a disk.
    expect(await north.listHeld()).toEqual([{ sourceId: 's', accountId: account.id, alias: 'cam', bytes: 40 }])
    expect(await north.find('south')).toMatchObject({ id: 'south', nodeId: 'south' })

    const all = await north.listOfAccount(account.id)
    for (const segment of [...all, ...all]) await north.remove(segment)
    expect(await north.listOfAccount(account.id)).toEqual([])
    // Once each, and nothing to whom nobody expects back.
    expect(left.sort()).toEqual(['dead dead.mp4', 'south south.mp4'])
  })
})
