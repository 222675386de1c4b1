import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, keepForDays } from '../../test/builders/account.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { aDetectionFileRow } from '../../test/builders/recorded-rows.ts'
import { aFile, aSource } from '../../test/builders/source.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { createDetectionFileStore } from './detection-files.store.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

describe.each(dialects)('files of what was seen by %s', (dialect) => {
  let database: TestDatabase
  let accountId: string
  let made = 0
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
  })
  afterEach(() => database.remove())

  const storeOf = (node: OwnNode | null = null) => createDetectionFileStore(database.db, node)
  async function add(change: Partial<DetectionFileRow> = {}): Promise<DetectionFileRow> {
    const row = aDetectionFileRow({ id: `file-${made++}`, account_id: accountId, ...change })
    await database.db.insertInto('detection_file').values(row).execute()
    return row
  }
  const idsOf = (files: readonly { readonly id: string }[]) => files.map(({ id }) => id)

  async function keepInStore({ file }: DetectionFileRow, place: 'disk' | 'store' | 'both'): Promise<void> {
    const ids = { folder: 'detections/cam', kind: 'detections', account_id: accountId, node_id: null, object_key: 'k' }
    await database.db
      .insertInto('stored_file')
      .values({ ...ids, file, size_bytes: 4, place, local_at: 0, retry_at: 0 })
      .execute()
  }

  test('streams are recorded unless their mode is off; files are not, nor what is gone', async () => {
    const { account } = await addAccount(database, { username: 'bob', minutes: 10 })
    const sources = [
      aSource({ accountId: account.id }),
      aSource({ accountId: account.id, recordingMode: 'events' }),
      aSource({ accountId: account.id, recordingMode: 'off' }),
      aFile(account.id, 'film.mp4', 1),
    ]
    for (const source of sources) await createSourceStore(database.db).insertWithinLimits(account, source)
    const found = await storeOf().listRecorded([...idsOf(sources), 'gone'])
    expect([...found].sort()).toEqual(idsOf(sources.slice(0, 2)).sort())
  })

  test('one is written once, and not of a key that is revoked', async () => {
    const file = aDetectionFileRow({ account_id: accountId, looks: 0 })
    expect(await storeOf().insert(file)).toBe(true)
    const change = { id: file.id, started_at: 1, ended_at: 2, is_open: 0, looks: 3, size_bytes: 4, minutes: '{}' }
    await storeOf().update([change])
    expect(await storeOf().insert(file)).toBe(true)
    expect(await storeOf().find(file.id)).toEqual({ ...file, ...change })
    await database.db.updateTable('account').set({ revoked_at: 1 }).execute()
    expect(await storeOf().insert({ ...file, id: 'late' })).toBe(false)
    expect(await storeOf().find('late')).toBeUndefined()
  })

  test('those are found that overlap a stretch, by source and process, by time', async () => {
    const at = 10 * HOUR_MS
    const [late, early, other] = [
      await add({ started_at: at + 1_000, ended_at: at + 2_000 }),
      await add({ started_at: at - 1_000, ended_at: at }),
      await add({ started_at: at, ended_at: at, process_id: 'q' }),
    ]
    await add({ started_at: at - 1_000, ended_at: at - 1 })
    await add({ started_at: at + 1_500, ended_at: at + 2_000 })
    await add({ started_at: at, ended_at: at, source_id: 'gate' })
    await add({ started_at: at, ended_at: at, looks: 0 })
    const stretch = { from: at, to: at + 1_500 }
    expect(idsOf(await storeOf().list('cam', stretch))).toEqual(idsOf([early, other, late]))
    expect(idsOf(await storeOf().list('cam', stretch, 'q'))).toEqual([other.id])
  })

  test('the newest of a process says which ids it had', async () => {
    await add({ ended_at: 5, minutes: 'new' })
    await add({ ended_at: 4, minutes: 'old' })
    await add({ ended_at: 6, minutes: 'of another', process_id: 'q' })
    expect(await storeOf().findLastMinutes('p')).toBe('new')
    expect(await storeOf().findLastMinutes('r')).toBeUndefined()
  })

  test('what is older than any of its account’s days expires, and what nobody knows at once', async () => {
    await keepForDays(database, accountId, 1)
    await database.db.updateTable('account').set({ alert_retention_days: 3 }).execute()
    const now = 10 * DAY_MS
    const [old, older] = [
      await add({ started_at: 2, ended_at: now - 3 * DAY_MS - 1, is_open: 1 }),
      await add({ started_at: 1, ended_at: now - 3 * DAY_MS - 1, node_id: 'other' }),
    ]
    const unknown = await add({ started_at: 3, ended_at: now - 1, account_id: 'nobody' })
    await add({ ended_at: now - 3 * DAY_MS })
    expect(idsOf(await storeOf().listExpired(now, 10))).toEqual(idsOf([older, old, unknown]))
    expect(idsOf(await storeOf().listExpired(now, 1))).toEqual([older.id])
  })

  test('a node counts, closes and makes room of its own', async () => {
    for (const id of ['a', 'b']) await addNodeRow(database.db, id)
    const [oldest, newest] = [
      await add({ node_id: 'a', started_at: 1, size_bytes: 1 }),
      await add({ node_id: 'a', started_at: 3, size_bytes: 20 }),
    ]
    const open = await add({ node_id: 'a', is_open: 1, size_bytes: 300 })
    await add({ node_id: 'b', is_open: 1, size_bytes: 4_000 })
    const stored = await add({ node_id: 'a', started_at: 2, size_bytes: 50_000 })
    await keepInStore(stored, 'both')
    const store = storeOf({ id: 'a', epoch: 1 })
    expect(idsOf(await store.listOpen())).toEqual([open.id])
    expect(await store.heldBytes()).toEqual(new Map([[accountId, 50_321]]))
    expect(await store.writingBytes()).toEqual(new Map([[accountId, 300]]))
    expect(idsOf(await store.listOldest(accountId, 10))).toEqual(idsOf([oldest, newest]))
    expect(idsOf(await store.listOldest('nobody', 10))).toEqual([])
    expect(idsOf(await storeOf({ id: 'b', epoch: 1 }).listOldest(accountId, 10))).toEqual([])
  })

  test('for the object store: what is closed, has something in it, and is not known to it', async () => {
    const settled = await add({ started_at: 1_001 })
    await add({ started_at: 1_000 })
    await add({ started_at: 2_000, is_open: 1 })
    await add({ started_at: 2_000, looks: 0 })
    await keepInStore(await add({ started_at: 2_000 }), 'disk')
    const listed = []
    for await (const part of storeOf().listUnstored(1_000)) listed.push(...part)
    expect(listed).toEqual([{ file: settled.file, accountId }])
  })

  test('a removal that fails removes nothing', async () => {
    const file = await add()
    const failing = storeOf().remove([file], async () => {
      throw new Error('away')
    })
    await expect(failing).rejects.toThrow('away')
    expect(await storeOf().listOfAccount(accountId, 10)).toHaveLength(1)
    await storeOf().remove([file], async () => {})
    expect(await storeOf().listOfAccount(accountId, 10)).toEqual([])
  })
})
