import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { createAccountDatabase } from '../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../test/support/databases.ts'
import { aFile, aSource } from '../../test/builders/source.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createStoredFileStore } from '../storage/object-store/stored-files.store.ts'
import { type Source } from './source.ts'
import { createSourceTokenStore } from './source-tokens.store.ts'
import { createSourceStore, type SourceStore } from './sources.store.ts'

describe.each(dialects)('sources on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  beforeEach(async () => void ({ database, account } = await createAccountDatabase(dialect)))
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

  test('the object store is told of files that it does not know, each once, and who reads one is found', async () => {
    const store = createSourceStore(database.db)
    const [one, two] = [aFile(account.id, 'admin/film', 300), aFile(account.id, 'admin/film', 300)]
    for (const source of [one, two, aSource({ accountId: account.id })]) await store.insertWithinLimits(account, source)
    expect(await store.listUnstored()).toEqual([{ file: 'admin/film', accountId: account.id }])
    expect((await store.listSourcesOf('admin/film')).sort()).toEqual([one.id, two.id].sort())
    const stored = { file: 'videos/admin/film', kind: 'videos', accountId: account.id, sizeBytes: 300 }
    await createStoredFileStore(database.db).insert([stored], 0)
    expect(await store.listUnstored()).toEqual([])
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

  test('what is not to be recorded says so by its mode too', async () => {
    const store = createSourceStore(database.db)
    const source = aSource({ accountId: account.id })
    await store.insertWithinLimits(account, source)
    const columns = ['recording_mode', 'record', 'recording_classes'] as const
    const modes = async () => (await database.db.selectFrom('source').select(columns).execute())[0]
    expect(await modes()).toEqual({ recording_mode: 'always', record: 1, recording_classes: null })
    await store.change(account, source.id, (one) => ({ ...one, recordingMode: 'off' }))
    expect(await modes()).toEqual({ recording_mode: 'off', record: 0, recording_classes: null })
  })

  test('what is recorded of it stays as it was chosen, for clients of an older version too', async () => {
    const store = createSourceStore(database.db)
    const choice = { recordingMode: 'events', recordingClasses: ['person'] } as const
    const source = aSource({ accountId: account.id, ...choice })
    await store.insertWithinLimits(account, source)
    expect(await store.find(account.id, source.id)).toEqual(source)
    const writeRecord = (record: number) => database.db.updateTable('source').set({ record }).execute()
    await writeRecord(0)
    expect(await store.find(account.id, source.id)).toMatchObject({ recordingMode: 'off' })
    await writeRecord(1)
    expect(await store.find(account.id, source.id)).toMatchObject(choice)
    await store.change(account, source.id, (one) => ({ ...one, recordingMode: 'off', recordingClasses: null }))
    await writeRecord(1)
    expect(await store.find(account.id, source.id)).toMatchObject({ recordingMode: 'always' })
  })

  test('changes at once all stay, and a video that was seen meanwhile does too', async () => {
    const store = createSourceStore(database.db)
    const source = aSource({ accountId: account.id })
    await store.insertWithinLimits(account, source)
    const video = { codec: 'h264', width: 2, height: 2, fps: 30 }
    await Promise.all([
      store.change(account, source.id, (known) => ({ ...known, alias: 'gate' })),
      store.change(account, source.id, (known) => ({ ...known, recordingMode: 'off' as const })),
    ])
    await store.setVideo('admin/cam', video)
    // As it was before the video was known.
    await store.change(account, source.id, (known) => ({ ...known, video: null, fingerprint: 'another' }))
    const changed = { ...source, alias: 'gate', recordingMode: 'off', video, fingerprint: 'another' }
    expect(await store.find(account.id, source.id)).toEqual(changed)
  })

  test('what is gone, another’s, or then like another source is not changed', async () => {
    const store = createSourceStore(database.db)
    const [source, twin] = [aSource({ accountId: account.id }), aSource({ accountId: account.id })]
    const { account: other } = await addAccount(database, { username: 'other' })
    for (const one of [source, twin]) await store.insertWithinLimits(account, one)
    const rename = (known: Source) => ({ ...known, alias: 'gate' })
    expect(await store.change(other, source.id, rename)).toBe('source-not-found')
    const asTwin = (known: Source) => ({ ...known, fingerprint: twin.fingerprint })
    expect(await store.change(account, source.id, asTwin)).toBe('source-exists')
    expect(await store.find(account.id, source.id)).toEqual(source)
    await store.remove(source.id)
    expect(await store.change(account, source.id, rename)).toBe('source-not-found')
  })

  test('cameras that we call are listed, of all accounts or of one', async () => {
    const store = createSourceStore(database.db)
    const { account: bob } = await addAccount(database, { username: 'bob' })
    const theirs = aSource({ accountId: bob.id, isPulled: true, mediaPath: 'bob/gate' })
    const ours = aSource({ accountId: account.id, isPulled: true, mediaPath: `${account.username}/gate` })
    await store.insertWithinLimits(bob, theirs)
    for (const source of [ours, aSource({ accountId: account.id })]) await store.insertWithinLimits(account, source)
    const idsOf = (sources: readonly Source[]) => sources.map(({ id }) => id).sort()
    expect(idsOf(await store.listTakenCameras('all'))).toEqual([theirs.id, ours.id].sort())
    expect(idsOf(await store.listTakenCameras([...tooManyToBind(), theirs.id]))).toEqual([theirs.id])
    expect(idsOf(await store.listPulled(account.id))).toEqual([ours.id])
  })

  test('cameras and files are of the node where they are registered, and one camera is called by one node', async () => {
    const [store, north] = [undefined, { id: 'north', epoch: 7 }].map((node) => createSourceStore(database.db, node))
    const camera = { accountId: account.id, isPulled: true, mediaPath: null, inputUrl: 'rtsp://cam/1' }
    const [first, twin, alone, file, stream] = [
      aSource(camera),
      aSource(camera),
      aSource({ ...camera, inputUrl: 'rtsp://cam/2' }),
      aFile(account.id, 'film', 5),
      aSource({ accountId: account.id, mediaPath: 'admin/pushed' }),
    ]
    await store!.insertWithinLimits(account, first)
    for (const source of [twin, alone, file, stream]) await north!.insertWithinLimits(account, source)
    const rows = await database.db.selectFrom('source').select(['id', 'node_id', 'node_epoch']).execute()
    const nodeOf = ({ id }: Source) => rows.find((row) => row.id === id)
    expect(nodeOf(twin)).toMatchObject({ node_id: null, node_epoch: null })
    for (const source of [alone, file]) expect(nodeOf(source)).toMatchObject({ node_id: 'north', node_epoch: 7 })
    expect(nodeOf(stream)).toMatchObject({ node_id: null })
    const path = (await north!.find(account.id, alone.id))!.mediaPath!
    expect([await store!.listCamerasAt(path), await north!.listCamerasAt(path)]).toMatchObject([[], [{ id: alone.id }]])
    expect((await north!.listTakenCameras('all')).map(({ id }) => id)).toEqual([alone.id])
    // One that was pushed until now is called by whoever was asked for that.
    const change = (source: Source) => ({ ...source, isPulled: true, inputUrl: 'rtsp://cam/3' })
    await north!.change(account, stream.id, change)
    expect((await north!.listTakenCameras('all')).map(({ id }) => id).sort()).toEqual([alone.id, stream.id].sort())
  })

  test('a file is on the disk of its node, which is asked for as long as it is alive', async () => {
    const [alone, north, south] = [null, { id: 'north', epoch: 7 }, { id: 'south', epoch: 7 }].map((node) =>
      createSourceStore(database.db, node),
    )
    await addNodeRow(database.db, 'north')
    await addNodeRow(database.db, 'south', false)
    const files = ['of-alone', 'of-north', 'of-south'].map((name) => aFile(account.id, name, 5))
    const stream = aSource({ accountId: account.id })
    await alone!.insertWithinLimits(account, files[0]!)
    for (const source of [files[1]!, stream]) await north!.insertWithinLimits(account, source)
    await south!.insertWithinLimits(account, files[2]!)
    const nodes = [...files, stream].map(({ id }) => alone!.findFileNode(id))
    expect(await Promise.all(nodes)).toEqual([undefined, 'north', undefined, undefined])
    expect(await north!.heldBytes()).toEqual(new Map([[account.id, 5]]))
    expect(await alone!.heldBytes()).toEqual(new Map([[account.id, 15]]))
    // The quota is the account's, wherever its files are.
    expect(await north!.usedBytes(account.id)).toBe(15)
    expect((await north!.listUnstored()).map(({ file }) => file)).toEqual([files[1]!.file])
    expect(await north!.listFiles()).toHaveLength(3)
    const usedBy = (store: SourceStore) => Promise.all(files.map(({ file }) => store.isFileUsedHere(file!)))
    expect([await usedBy(north!), await usedBy(alone!)]).toEqual([
      [false, true, false],
      [true, false, false],
    ])
  })

  test('the names and paths of all sources are listed, of every account and kind', async () => {
    const store = createSourceStore(database.db)
    const telemetryCfg = { type: 'websocket', format: 'native', parameters: {} } as const
    const { id: accountId } = account
    const [stream, film] = [aSource({ accountId, alias: 'roof', telemetryCfg }), aFile(accountId, 'film', 5)]
    for (const source of [stream, film]) await store.insertWithinLimits(account, source)
    const listed = ({ id, inputUrl }: Source) => ({ id, accountId, inputUrl, isPulled: false })
    const names = (await store.listNames()).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(names).toEqual([
      { ...listed(stream), alias: 'roof', mediaPath: 'admin/cam', telemetryCfg },
      { ...listed(film), alias: 'cam', mediaPath: null, telemetryCfg: null },
    ])
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

  test('of many tokens of one path all are found that are good for what is asked', async () => {
    const tokens = createSourceTokenStore(database.db)
    const add = async (sourceId: string, action: 'publish' | 'read', expiresAt: number | null) => {
      const id = orderedUuid()
      await tokens.insertWithinLimit(
        account.id,
        { id, sourceId, action, expiresAt, createdAt: 0 },
        { sha256: id, ha1: id },
        50,
      )
      return id
    }
    const good: string[] = []
    for (let made = 0; made < 3; made++) {
      const source = aSource({ accountId: account.id })
      await createSourceStore(database.db).insertWithinLimits(account, source)
      // More that are not good for reading than were once looked at.
      for (let index = 0; index < 20; index++) {
        await add(source.id, 'publish', null)
        await add(source.id, 'read', 50)
      }
      good.push(await add(source.id, 'read', 51), await add(source.id, 'read', null))
    }
    const found = await tokens.listGoodFor('read', 'admin/cam', 50)
    expect(found.map(({ id }) => id).sort()).toEqual(good.sort())
    expect(await tokens.listGoodFor('read', 'admin/other', 50)).toEqual([])
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
    expect((await tokens.list(source.id)).map(({ id }) => id)).toEqual(['t2'])
    expect(await tokens.remove(source.id, 't1')).toBe(false)
    await store.remove(source.id)
    expect(await tokens.findByHash('b')).toBeUndefined()
  })
})
