import { describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { aClip, aClipPart } from '../../test/builders/clip.ts'
import { aSource } from '../../test/builders/source.ts'
import { useAccountDatabase } from '../../test/support/account-database.ts'
import { dialects } from '../../test/support/databases.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type Clip, clipFile } from './clip.ts'
import { createClipStore } from './clips.store.ts'

const LIMITS = { waiting: 3, all: 5 }

describe.each(dialects)('clips on %s', (dialect) => {
  const created = useAccountDatabase(dialect)
  const storeOf = (node: Parameters<typeof createClipStore>[1] = null) => createClipStore(created().database.db, node)

  /** Answers what is stored. */
  async function add(change: Partial<Clip> = {}): Promise<Clip> {
    return storeOf().insert(aClip({ accountId: created().account.id, ...change }), LIMITS, async () => {})
  }
  const done = { parts: [aClipPart({ sizeBytes: 300 }), aClipPart({ sizeBytes: 400 })], gaps: [], note: 'two' }

  test('one comes back as it was written, with the alias of its source as long as there is one', async () => {
    const { account, database } = created()
    const source = aSource({ accountId: account.id, alias: 'gate' })
    const sources = createSourceStore(database.db)
    await sources.insertWithinLimits(account, source)
    const clip = await add({ sourceId: source.id, trackId: 7, withBoxes: true, gaps: [{ from: 1, to: 2 }] })
    expect(await storeOf().find(clip.id)).toEqual({ ...clip, sourceAlias: 'gate' })
    await sources.remove(source.id)
    expect(await storeOf().find(clip.id)).toMatchObject({ sourceAlias: null })
  })

  test('its job is added with it, or neither is', async () => {
    const { account } = created()
    const clip = aClip({ accountId: account.id })
    const failing = storeOf().insert(clip, LIMITS, async () => {
      throw new Error('no jobs')
    })
    await expect(failing).rejects.toThrow('no jobs')
    expect(await storeOf().find(clip.id)).toBeUndefined()
  })

  test('a key has as many that wait, and as many in all, as it may: also when they come at once', async () => {
    const waiting = await Promise.allSettled(Array.from({ length: 6 }, () => add()))
    expect(waiting.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.waiting)
    for (const { id } of (await storeOf().list(created().account.id, undefined, { limit: 10 })).items)
      await storeOf().finish(id, done, 1)
    await add()
    await add()
    await expect(add()).rejects.toMatchObject({ code: 'clip-limit-reached', status: 403 })
    for (let id = 1; id <= LIMITS.waiting; id++) await add({ kind: 'link', uniqueKey: `track:p:${id}` })
    await expect(add({ kind: 'link', uniqueKey: 'track:p:9' })).rejects.toMatchObject({ code: 'clip-limit-reached' })
  })

  test('the first of each account that waits for nothing but its turn', async () => {
    const { account: other } = await addAccount(created().database, { username: 'other' })
    const [begun, first, failed] = [await add({ to: 10 }), await add({ to: 10 }), await add({ to: 10 })]
    await storeOf().begin(begun.id, 1)
    await storeOf().wait(failed.id, 'the store is away')
    const ofOther = await add({ accountId: other.id, to: 10 })
    await add({ accountId: other.id, to: 10 })
    const idsOf = async (store = storeOf(), endedBefore = 10) =>
      (await store.listFirstWaiting(endedBefore)).map(({ id }) => id).sort()
    expect(await idsOf()).toEqual([first.id, ofOther.id].sort())
    expect(await idsOf(storeOf(), 9)).toEqual([])
    // Of several nodes that which has it for sure.
    const north = { ...ofOther, id: `${ofOther.id.slice(0, -4)}0000`, nodeId: 'north' }
    await add(north)
    expect(await idsOf(storeOf({ id: 'north', epoch: 1 }))).toEqual([north.id])
  })

  test('of a revoked key nothing is begun', async () => {
    const { database, account } = created()
    await database.db.updateTable('account').set({ revoked_at: 1 }).where('id', '=', account.id).execute()
    await expect(add()).rejects.toMatchObject({ code: 'api-key-invalid' })
  })

  test('of a link there is one, whoever opens it at once', async () => {
    const link = { kind: 'link', uniqueKey: 'track:p:1' } as const
    const clips = await Promise.all([add(link), add(link), add(link)])
    expect(new Set(clips.map(({ id }) => id)).size).toBe(1)
    expect(await storeOf().findByKey('track:p:1')).toMatchObject({ id: clips[0].id })
  })

  test('users list theirs, the newest first, of a source or of all', async () => {
    const { account, database } = created()
    const { account: other } = await addAccount(database, { username: 'other' })
    const [first, second] = [await add(), await add({ sourceId: 'gate' })]
    await add({ accountId: other.id })
    await add({ kind: 'link', uniqueKey: 'event:1' })
    const idsOf = async (sourceId?: string, cursor?: string) =>
      (await storeOf().list(account.id, sourceId, { limit: 1, cursor })).items.map(({ id }) => id)
    expect(await idsOf()).toEqual([second.id])
    expect(await idsOf(undefined, second.id)).toEqual([first.id])
    expect(await idsOf('cam')).toEqual([first.id])
  })

  test('it is renamed by its owner alone', async () => {
    const { account } = created()
    const clip = await add()
    expect(await storeOf().rename('somebody', clip.id, 'mine')).toBe(false)
    expect(await storeOf().rename(account.id, clip.id, 'the dog')).toBe(true)
    expect(await storeOf().find(clip.id)).toMatchObject({ alias: 'the dog' })
  })

  test('it is cut, and what was done stays', async () => {
    const clip = await add()
    expect(await storeOf().begin(clip.id, 40_000)).toMatchObject({ state: 'working', attempts: 1, startedAt: 40_000 })
    expect(await storeOf().wait(clip.id, 'The node is away.')).toBe(true)
    expect(await storeOf().find(clip.id)).toMatchObject({ state: 'waiting', error: 'The node is away.' })
    expect(await storeOf().begin(clip.id, 41_000)).toMatchObject({ state: 'working', attempts: 2, error: null })
    expect(await storeOf().setProgress(clip.id, 50)).toBe(true)
    expect(await storeOf().finish(clip.id, done, 42_000)).toBe(true)
    expect(await storeOf().find(clip.id)).toMatchObject({
      ...done,
      state: 'ready',
      progress: 100,
      sizeBytes: 700,
      finishedAt: 42_000,
    })
    expect(await storeOf().fail(clip.id, 'too late', 43_000)).toBe(false)
    expect(await storeOf().begin(clip.id, 43_000)).toBeUndefined()
  })

  test('one that is gone is worked on no more', async () => {
    const clip = await add()
    await storeOf().begin(clip.id, 1)
    expect(await storeOf().remove(clip.id, async () => {})).toBe(true)
    expect(await storeOf().remove(clip.id, async () => expect.unreachable())).toBe(false)
    expect(await storeOf().setProgress(clip.id, 50)).toBe(false)
    expect(await storeOf().finish(clip.id, done, 2)).toBe(false)
  })

  test('those of links go when nobody has opened them, and first when there is no room', async () => {
    const { account } = created()
    const [old, used, cutting] = [
      await add({ kind: 'link', uniqueKey: 'a', usedAt: 1_000 }),
      await add({ kind: 'link', uniqueKey: 'b', usedAt: 1_000 }),
      await add({ kind: 'link', uniqueKey: 'c', usedAt: 1_000, sizeBytes: 50 }),
    ]
    await storeOf().finish((await add()).id, done, 1)
    for (const { id } of [used, old]) await storeOf().finish(id, done, 1)
    await storeOf().touch(used.id, 5_000)
    expect((await storeOf().listUnused(2_000, 10)).map(({ id }) => id)).toEqual([old.id])
    expect((await storeOf().listOldestOfLinks(account.id, 10)).map(({ id }) => id)).toEqual([old.id, used.id])
    expect(await storeOf().heldBytes('link')).toEqual(new Map([[account.id, 1_450]]))
    expect(await storeOf().waitingBytesOfLinks()).toEqual(new Map([[account.id, cutting.sizeBytes]]))
    expect(await storeOf().heldBytes('user')).toEqual(new Map([[account.id, 700]]))
  })

  test('what the object store has counts there, and a failed one holds nothing', async () => {
    const { account, database } = created()
    const [stored, failed] = [await add(), await add()]
    await storeOf().finish(stored.id, done, 1)
    await storeOf().fail(failed.id, 'no', 1)
    const file = clipFile(stored, 1)
    const row = { file, folder: 'clips', kind: 'clips', account_id: account.id, node_id: null, object_key: 'k' }
    await database.db
      .insertInto('stored_file')
      .values({ ...row, size_bytes: 300, place: 'store', local_at: 0, retry_at: 0 })
      .execute()
    expect((await storeOf().heldBytes('user')).get(account.id) ?? 0).toBe(0)
  })

  test('the files of what is ready are listed for the object store', async () => {
    const { account } = created()
    const clip = await add()
    await add()
    await storeOf().finish(clip.id, done, 100_000)
    const listed = async (since: number) => {
      const files = []
      for await (const part of storeOf().listUnstored(since)) files.push(...part)
      return files
    }
    const files = [1, 2].map((n) => ({ file: clipFile(clip, n), accountId: account.id }))
    expect(await listed(100_000)).toEqual(files)
    expect(await listed(200_000)).toEqual([])
  })

  test('a node counts and lists what is on its own disk', async () => {
    const { account } = created()
    const clip = await add({ nodeId: 'b' })
    expect(await storeOf({ id: 'a', epoch: 1 }).heldBytes('user')).toEqual(new Map())
    expect(await storeOf({ id: 'b', epoch: 1 }).heldBytes('user')).toEqual(new Map([[account.id, clip.sizeBytes]]))
    // Whoever cuts it has it.
    await storeOf({ id: 'a', epoch: 1 }).begin(clip.id, 1)
    expect(await storeOf().find(clip.id)).toMatchObject({ nodeId: 'a' })
  })
})
