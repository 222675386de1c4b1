import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createLivePathStore, type LivePathStore, type NodeEpoch, type PathClaim } from './live-path.store.ts'

const a: NodeEpoch = { nodeId: 'a', epoch: 1 }
const b: NodeEpoch = { nodeId: 'b', epoch: 4 }
const claim = (principal = 'ann', given: Partial<PathClaim> = {}): PathClaim => ({
  path: 'ann/cam',
  principal,
  protocol: 'rtsp',
  video: undefined,
  since: 0,
  ...given,
})
const publishes = { takesOver: true }
const hasItAlready = { takesOver: false }

describe.each(dialects)('paths of several nodes on %s', (dialect) => {
  let database: TestDatabase
  let store: LivePathStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createLivePathStore(database.db)
    for (const { nodeId, epoch } of [a, b])
      await database.db
        .insertInto('node')
        .values({
          id: nodeId,
          epoch,
          is_alive: 1,
          lease_until: 0,
          instance: nodeId,
          rtsp_url: null,
          labels: '[]',
          version: '1',
          schema_version: '27',
          is_draining: 0,
          started_at: 0,
        })
        .execute()
  })
  afterEach(() => database.remove())

  const declareDead = (nodeId: string) =>
    database.db
      .updateTable('node')
      .set((eb) => ({ epoch: eb('epoch', '+', 1), is_alive: 0 }))
      .where('id', '=', nodeId)
      .execute()
  const holders = async () => (await store.list()).map(({ path, nodeId }) => `${path} ${nodeId}`)

  test('a path is one publisher’s, until it is released', async () => {
    expect(await store.take(claim(), a, publishes)).toEqual({ isTaken: true, before: undefined })
    expect(await store.take(claim('bob'), b, publishes)).toEqual({ isTaken: false, before: undefined })
    expect(await holders()).toEqual(['ann/cam a'])
    await store.release('ann/cam', b)
    expect(await holders()).toEqual(['ann/cam a'])
    await store.release('ann/cam', a)
    expect(await store.take(claim('bob'), b, publishes)).toMatchObject({ isTaken: true })
  })

  test('the same publisher takes it over on another node, and the node that had it is named', async () => {
    await store.take(claim(), a, publishes)
    expect(await store.take(claim(), b, publishes)).toEqual({ isTaken: true, before: 'a' })
    expect(await store.take(claim(), a, hasItAlready)).toEqual({ isTaken: false, before: undefined })
    expect(await store.confirm(claim(), a)).toBe(false)
    expect(await holders()).toEqual(['ann/cam b'])
  })

  test('of two on the same node, that node’s hub decides', async () => {
    await store.take(claim(), a, publishes)
    expect(await store.take(claim('bob'), a, publishes)).toEqual({ isTaken: true, before: undefined })
  })

  test('what is known of a live stream is kept with it', async () => {
    await store.take(claim(), a, publishes)
    const live = claim('ann', { since: 5, video: { codec: 'h264', width: 1280, height: 720 } })
    expect(await store.confirm(live, a)).toBe(true)
    expect(await store.list()).toEqual([{ ...live, nodeId: 'a' }])
  })

  test('what a node had is free when it is declared dead, and when it has joined anew', async () => {
    await store.take(claim(), a, publishes)
    await store.take(claim('ann', { path: 'ann/yard' }), a, publishes)
    await declareDead('a')
    expect(await holders()).toEqual([])
    expect(await store.take(claim('bob'), b, publishes)).toEqual({ isTaken: true, before: undefined })
    await database.db.updateTable('node').set({ is_alive: 1 }).where('id', '=', 'a').execute()
    expect(await holders()).toEqual(['ann/cam b'])
  })

  test('of many that publish to a path at once on two nodes, one has it', async () => {
    const tries = Array.from({ length: 10 }, (_, index) =>
      store.take(claim(`publisher ${index}`), index % 2 === 0 ? a : b, hasItAlready),
    )
    const taken = await Promise.all(tries)
    const [holder] = await store.list()
    const others = taken.filter(({ isTaken }, index) => isTaken && (index % 2 === 0 ? 'a' : 'b') !== holder?.nodeId)
    expect(others).toEqual([])
    expect(taken.some(({ isTaken }) => isTaken)).toBe(true)
  })
})
