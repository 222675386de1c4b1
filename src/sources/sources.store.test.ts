import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/builders/databases.ts'
import { aFile, aSource } from '../../test/builders/source.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createRecordingStore } from '../recordings/recordings.store.ts'
import { createSourceTokenStore } from './source-tokens.store.ts'
import { createSourceStore } from './sources.store.ts'

describe.each(dialects)('sources on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin' }))
  })
  afterEach(() => database.remove())

  const withLimits = (limits: Partial<Account['limits']>): Account => ({
    ...account,
    limits: { ...account.limits, ...limits },
  })

  test('fifty registrations at once never overrun the limit', async () => {
    const store = createSourceStore(database.db)
    const limited = withLimits({ maxSources: 7 })
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => store.insertWithinLimits(limited, aSource({ accountId: account.id }))),
    )
    expect(outcomes.filter((outcome) => outcome === 'source-limit-reached')).toHaveLength(43)
    expect((await store.list(account.id, { limit: 100 })).items).toHaveLength(7)
  })

  test('fifty registrations of the same source at once make one', async () => {
    const store = createSourceStore(database.db)
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.insertWithinLimits(account, aSource({ accountId: account.id, fingerprint: 'same' })),
      ),
    )
    expect(outcomes.filter((outcome) => typeof outcome === 'object' && outcome.isNew)).toHaveLength(1)
  })

  test('whose key is revoked by now gets nothing new', async () => {
    const store = createSourceStore(database.db)
    await accountsOn(database).store.revoke(account, false, 1)
    await expect(store.insertWithinLimits(account, aSource({ accountId: account.id }))).rejects.toMatchObject({
      code: 'api-key-invalid',
    })
    expect((await store.list(account.id, { limit: 100 })).items).toEqual([])
  })

  test('a path with an output takes no other source; one that is there is found all the same', async () => {
    const store = createSourceStore(database.db)
    const source = aSource({ accountId: account.id })
    await store.insertWithinLimits(account, source)
    // As an older version let it in.
    const output = { id: orderedUuid(), account_id: account.id, alias: 'n', type: 'rtsp', url: 'rtsp://cam' } as const
    const rest = { media_path: source.mediaPath, settings: '', process_id: null, created_at: 1 }
    await database.db
      .insertInto('output')
      .values({ ...output, ...rest })
      .execute()
    const again = aSource({ accountId: account.id, fingerprint: source.fingerprint })
    expect(await store.insertWithinLimits(account, again)).toEqual({ source, isNew: false })
    expect(await store.insertWithinLimits(account, aSource({ accountId: account.id }))).toBe('path-in-use')
  })

  test('uploads at once never overrun the storage', async () => {
    const store = createSourceStore(database.db)
    const limited = withLimits({ totalStorageSizeBytes: 1000 })
    const file = () => aFile(account.id, orderedUuid(), 300)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.insertWithinLimits(limited, file())))
    expect(outcomes.filter((outcome) => outcome === 'video-storage-full')).toHaveLength(7)
    expect(await store.usedBytes(account.id)).toBe(900)
  })

  test('a file of several sources is counted once for its account, and used until the last of them is gone', async () => {
    const store = createSourceStore(database.db)
    const { account: other } = await addAccount(database, { username: 'other' })
    const limited = withLimits({ totalStorageSizeBytes: 300 })
    const [one, two] = [aFile(account.id, 'admin/film', 300), aFile(account.id, 'admin/film', 300)]
    const theirs = aFile(other.id, 'other/film', 200)
    for (const source of [one, two]) await store.insertWithinLimits(limited, source)
    await store.insertWithinLimits(other, theirs)
    expect(await store.insertWithinLimits(limited, aFile(account.id, 'admin/another', 1))).toBe('video-storage-full')
    expect(await store.usedBytes(account.id)).toBe(300)
    expect(await store.heldBytes()).toEqual(
      new Map([
        [account.id, 300],
        [other.id, 200],
      ]),
    )
    expect((await store.listFiles()).sort()).toEqual(['admin/film', 'other/film'])
    expect(await store.findByContent(account.id, 'sha of admin/film')).toMatchObject({ file: 'admin/film' })
    expect(await store.findByContent(other.id, 'sha of admin/film')).toBeUndefined()
    expect(await store.findFile(two.id)).toBe('admin/film')
    await store.remove(one.id)
    expect(await store.isFileUsed('admin/film')).toBe(true)
    await store.remove(two.id)
    expect(await store.isFileUsed('admin/film')).toBe(false)
    expect(await store.findFile(two.id)).toBeUndefined()
    expect(await store.usedBytes(account.id)).toBe(0)
  })

  test('what is stored comes back whole; what is another’s does not', async () => {
    const store = createSourceStore(database.db)
    const source = aSource({
      accountId: account.id,
      telemetryCfg: { type: 'websocket', format: 'native', parameters: { time_offset_ms: 5 } },
      video: { codec: 'h264', width: 2, height: 2, fps: 30 },
    })
    await store.insertWithinLimits(account, source)
    expect(await store.find(account.id, source.id)).toEqual(source)
    expect(await store.find('somebody', source.id)).toBeUndefined()
    expect(await store.findByMediaPath('admin/cam')).toEqual([source])
  })

  test('fifty tokens at once never overrun the limit', async () => {
    const source = aSource({ accountId: account.id })
    await createSourceStore(database.db).insertWithinLimits(account, source)
    const tokens = createSourceTokenStore(database.db)
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const id = String(index)
        const token = { id, sourceId: source.id, action: 'read', expiresAt: null, createdAt: 0 } as const
        return tokens.insertWithinLimit(account.id, token, { sha256: id, ha1: id }, 7)
      }),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(7)
    expect(await tokens.list(source.id)).toHaveLength(7)
  })

  test('tokens go with their source', async () => {
    const store = createSourceStore(database.db)
    const tokens = createSourceTokenStore(database.db)
    const source = aSource({ accountId: account.id })
    await store.insertWithinLimits(account, source)
    await tokens.insertWithinLimit(
      account.id,
      { id: 't1', sourceId: source.id, action: 'read', expiresAt: 50, createdAt: 0 },
      { sha256: 'a', ha1: 'x' },
      2,
    )
    await tokens.insertWithinLimit(
      account.id,
      { id: 't2', sourceId: source.id, action: 'publish', expiresAt: null, createdAt: 0 },
      { sha256: 'b', ha1: 'y' },
      2,
    )
    expect(await tokens.findByHash('a')).toMatchObject({ path: 'admin/cam', action: 'read', accountId: account.id })
    await tokens.removeExpired(50)
    expect((await tokens.listForPath('admin/cam')).map(({ id }) => id)).toEqual(['t2'])
    expect(await tokens.remove(source.id, 't1')).toBe(false)
    await store.remove(source.id)
    expect(await tokens.findByHash('b')).toBeUndefined()
  })

  test('recordings of a child are kept no longer than those of its master', async () => {
    const { service } = accountsOn(database)
    const { account: boss } = await service.createMaster('boss', { rights: { recording_retention_days: 2 } })
    const given = { username: 'child', minutes: 0, recording_retention_days: 30 }
    const { account: child } = await service.createChild(boss, given)
    const store = createRecordingStore(database.db)
    const dayMs = 86_400_000
    await store.insert({ id: 'r1', accountId: child.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 1 })
    await store.insertSegment({
      id: 'a',
      recordingId: 'r1',
      accountId: child.id,
      file: 'a.mp4',
      startedAt: 0,
      durationMs: 1000,
      sizeBytes: 10,
    })
    expect(await store.listExpired(2 * dayMs, 10)).toEqual([])
    expect(await store.listExpired(2 * dayMs + 1, 10)).toMatchObject([{ id: 'a' }])
  })

  test('recordings: open ones are found, old ones expire by their account, the last segment takes its recording along', async () => {
    const store = createRecordingStore(database.db)
    const dayMs = 86_400_000
    const recording = { id: 'r1', accountId: account.id, sourceId: 's', alias: 'cam', startedAt: 0, endedAt: null }
    const segment = {
      id: 'a',
      recordingId: 'r1',
      accountId: account.id,
      file: 'a.mp4',
      startedAt: 0,
      durationMs: 1000,
      sizeBytes: 10,
    }
    await store.insert(recording)
    await store.insertSegment(segment)
    await store.insertSegment({ ...segment, id: 'b', startedAt: dayMs, durationMs: null })
    expect(await store.listOpen()).toMatchObject([{ id: 'r1' }])
    await store.growSegment('b', 5)
    expect(await store.heldBytes()).toEqual(new Map([[account.id, 15]]))
    await store.updateSegment('b', { durationMs: 2000, sizeBytes: 20 })
    await store.end('r1', dayMs + 2000)
    expect(await store.listOpen()).toEqual([])

    expect(await store.listExpired(7 * dayMs, 10)).toEqual([])
    expect((await store.listExpired(7 * dayMs + 1, 10)).map(({ id }) => id)).toEqual(['a'])
    expect((await store.listOldestSegments(account.id, 1)).map(({ id }) => id)).toEqual(['a'])
    expect(await store.listOldestSegments('somebody', 1)).toEqual([])
    expect(await store.listSegmentsOfAccount(account.id)).toHaveLength(2)
    await store.removeSegment(segment)
    expect((await store.list(account.id, 's', { limit: 10 })).items).toMatchObject([
      { segments: [{ id: 'b', durationMs: 2000 }] },
    ])
    await store.removeSegment({ ...segment, id: 'b' })
    expect((await store.list(account.id, undefined, { limit: 10 })).items).toEqual([])
  })
})
