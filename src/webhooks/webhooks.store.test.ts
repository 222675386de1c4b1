import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { aProcess } from '../../test/builders/process.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { newProgress, type StoredSubscription } from './progress.ts'
import { createWebhookStore, type WebhookStore } from './webhooks.store.ts'

describe.each(dialects)('webhooks on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: WebhookStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
    store = createWebhookStore(database.db)
  })
  afterEach(() => database.remove())

  const aSubscription = (change: Partial<StoredSubscription> = {}): StoredSubscription => ({
    id: orderedUuid(),
    accountId: account.id,
    processId: 'process',
    notificationUrl: 'https://user:word@example.com/hook',
    eventType: 'new-tracks',
    notificationFormat: 'full',
    backoffMs: 1_500,
    authUrl: null,
    secret: 'whsec_',
    progress: newProgress('running'),
    createdAt: 1,
    endedAt: null,
    ...change,
  })
  const add = async (change: Partial<StoredSubscription> = {}, limit = 20) => {
    const subscription = aSubscription(change)
    expect(await store.insertWithinLimit(account, subscription, limit)).toBe('inserted')
    return subscription
  }

  test('what is stored comes back whole, newest first', async () => {
    const one = await add({ authUrl: 'https://example.com/login' })
    const two = await add({ eventType: 'target-count' })
    await add({ processId: 'other' })
    expect(await store.list('process')).toEqual([two, one])
    expect(await store.listActive('all')).toHaveLength(3)
  })

  test('the same type and url is there once, and many at once never overrun the limit', async () => {
    const same = Array.from({ length: 8 }, () => store.insertWithinLimit(account, aSubscription(), 20))
    expect((await Promise.all(same)).filter((outcome) => outcome === 'inserted')).toHaveLength(1)
    const others = Array.from({ length: 8 }, (_, index) =>
      store.insertWithinLimit(account, aSubscription({ notificationUrl: `http://h/${index}` }), 4),
    )
    const outcomes = await Promise.all(others)
    expect(outcomes.filter((outcome) => outcome === 'subscription-limit-reached')).toHaveLength(5)
  })

  test.each([
    { filter: { notificationUrl: 'http://a/' }, left: 2 },
    { filter: { eventType: 'target-count' as const }, left: 2 },
    { filter: { notificationUrl: 'http://a/', eventType: 'target-count' as const }, left: 3 },
    { filter: { notificationUrl: 'http://c/' }, left: 4 },
    { filter: {}, left: 0 },
  ])('removing what $filter finds leaves $left', async ({ filter, left }) => {
    for (const notificationUrl of ['http://a/', 'http://b/'])
      for (const eventType of ['new-tracks', 'target-count'] as const) await add({ notificationUrl, eventType })
    await add({ processId: 'other' })
    const found = await store.list('process', filter)
    await store.remove(found.map(({ id }) => id))
    expect(found).toHaveLength(4 - left)
    expect(await store.list('process')).toHaveLength(left)
    expect(await store.list('other')).toHaveLength(1)
  })

  test('progress is kept', async () => {
    const { id } = await add()
    const progress = { ...newProgress('paused'), lastTrackId: 7, lastReleasedAtMs: 3 }
    await store.saveProgress(new Map([[id, progress]]))
    expect((await store.listActive('all'))[0]!.progress).toEqual(progress)
  })

  test('what a node kept of a process that has gone to another one since is not written over what that has', async () => {
    const north = createWebhookStore(database.db, { id: 'north', epoch: 7 })
    const process = aProcess({ id: 'process', accountId: account.id })
    await createProcessStore(database.db, { id: 'north', epoch: 7 }).insertWithinLimits(account, process)
    const { id } = await add()
    const save = (lastTrackId: number) =>
      north.saveProgress(new Map([[id, { ...newProgress('running'), lastTrackId }]]))
    await save(1)
    await database.db.updateTable('process').set({ node_id: 'south' }).execute()
    await save(2)
    expect((await store.list('process'))[0]!.progress.lastTrackId).toBe(1)
  })

  test('of some processes those without the others are active', async () => {
    const own = await add()
    await add({ processId: 'other' })
    expect(await store.listActive([...tooManyToBind(), 'process'])).toEqual([own])
    expect(await store.listActive([])).toEqual([])
  })

  test('what has ended is active no more, and goes after a while', async () => {
    const { id } = await add()
    await store.end('process', 10)
    await store.end('process', 20)
    expect(await store.listActive('all')).toEqual([])
    expect((await store.list('process'))[0]).toMatchObject({ id, endedAt: 10 })
    await add({ processId: 'other' })
    expect(await store.listEndedBefore(10)).toEqual([])
    expect(await store.listEndedBefore(11)).toEqual([id])
    await store.remove([id])
    await add()
    await store.removeAllOf(account.id)
    expect(await store.list('process')).toEqual([])
  })
})
