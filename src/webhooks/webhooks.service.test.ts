import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { DatabaseAway } from '../core/outages.ts'
import { type DeliveryEntry } from '../core/outbound-message.ts'
import { NewSubscription } from './webhooks.schema.ts'
import { createWebhookService, type WebhookService } from './webhooks.service.ts'
import { createWebhookStore, type WebhookStore } from './webhooks.store.ts'

const processId = '00000000-0000-7000-8000-000000000001'
let database: TestDatabase
let account: Account
let store: WebhookStore
let service: WebhookService
let isLive: boolean
let waiting: number
let dropped: string[]
let unwatched: string[]
let isAway: boolean
let entry: DeliveryEntry | undefined

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin' }))
  store = createWebhookStore(database.db)
  isLive = true
  waiting = 0
  dropped = []
  unwatched = []
  isAway = false
  entry = undefined
  service = createWebhookService({
    store,
    delivery: {
      async drop(channel) {
        if (isAway) throw new DatabaseAway(new Error('messages wait for it'))
        dropped.push(channel)
      },
      list: async () => ({ items: [], nextCursor: undefined }),
      find: async () => entry,
      standing: async (channels) =>
        new Map(
          channels.map((channel) => [
            channel,
            { waiting, nextAttemptAtMs: null, trouble: null, lastDeliveredAtMs: null },
          ]),
        ),
      resend: async () => entry?.state === 'dead' || entry?.state === 'delivered',
    },
    processes: {
      find: async () => ({ state: isLive ? 'running' : 'stopped' }),
      async checkLive() {
        if (!isLive) throw new AppError('process-not-live', { process_uuid: processId, state: 'stopped' })
      },
    },
    watch: { add: () => {}, remove: async (id) => void unwatched.push(id) },
    objectionTo: async (_account, hostname) => (hostname === 'denied.test' ? 'may not be called' : undefined),
    authOrigins: ['https://login.example.org'],
    clock: createFakeClock(),
  })
})
afterEach(() => database.remove())

const wish = NewSubscription.parse({ notification_url: 'http://127.0.0.1:9/hook' })
const listed = async () => (await service.list(account, processId)).map(({ pending }) => pending)

test('a process that has ended takes no subscription', async () => {
  isLive = false
  await expect(service.subscribe(account, processId, wish)).rejects.toMatchObject({ code: 'process-not-live' })
  expect(await listed()).toEqual([])
})

test('a subscription of an ended process is listed for as long as something waits', async () => {
  await service.subscribe(account, processId, wish)
  expect(await listed()).toEqual([0])
  await store.end(processId, 10)
  waiting = 3
  expect(await listed()).toEqual([3])
  waiting = 0
  expect(await listed()).toEqual([])
})

test('what is listed with its keys masked can be removed by its id', async () => {
  const body = { ...wish, notification_url: 'http://127.0.0.1/?token=secret' }
  const { id } = await service.subscribe(account, processId, body)
  await service.subscribe(account, processId, { ...body, notification_url: 'http://127.0.0.1/?token=other' })
  await expect(service.remove(account, processId, { id: processId })).rejects.toMatchObject({
    code: 'subscription-not-found',
  })
  expect(await service.remove(account, processId, { id })).toEqual([id])
})

test('a removed subscription leaves nothing behind', async () => {
  const { id } = await service.subscribe(account, processId, wish)
  expect(await service.remove(account, processId, {})).toEqual([id])
  expect(dropped).toEqual([`webhook:${id}`])
})

test('those whose removal is cut short notify nobody any more, and can be removed again', async () => {
  const urls = ['http://127.0.0.1/1', 'http://127.0.0.1/2']
  for (const notification_url of urls) await service.subscribe(account, processId, { ...wish, notification_url })
  const ids = (await store.list(processId)).map(({ id }) => id)
  isAway = true
  await expect(service.remove(account, processId, {})).rejects.toThrow('messages wait for it')
  expect(unwatched).toEqual(ids)
  isAway = false
  expect(await service.remove(account, processId, {})).toEqual(ids)
  expect(dropped).toEqual(ids.map((id) => `webhook:${id}`))
  expect(await store.list(processId)).toEqual([])
})

test('what has ended is removed after a while, and where that is cut short, the next time', async () => {
  const { id } = await service.subscribe(account, processId, wish)
  await store.end(processId, 10)
  isAway = true
  await expect(service.removeEndedBefore(11)).rejects.toThrow('messages wait for it')
  isAway = false
  await service.removeEndedBefore(11)
  expect(dropped).toEqual([`webhook:${id}`])
  expect(await store.list(processId)).toEqual([])
})

test.each([
  { state: 'delivered', code: undefined },
  { state: 'dead', code: undefined },
  { state: 'waiting', code: 'delivery-not-resendable' },
  { state: 'dropped', code: 'delivery-not-resendable' },
] as const)('sending one again that is $state: $code', async ({ state, code }) => {
  const { id } = await service.subscribe(account, processId, wish)
  const facts = { attempts: 1, error: null, createdAtMs: 0, settledAtMs: null }
  entry = { id: 'message', channel: `webhook:${id}`, state, ...facts }
  const outcome = await service.resend(account, processId, 'message').catch((error: AppError) => error.code)
  expect(outcome).toBe(code)
})

test.each([
  ['http://denied.test/hook', null, 'body.notification_url'],
  ['http://one.test/hook', 'http://denied.test/login', 'body.auth_url'],
  ['http://one.test/hook', 'http://two.test/login', 'body.auth_url'],
  ['http://one.test/hook', 'http://one.test:81/login', 'body.auth_url'],
])('a child key’s webhook to %s with a login at %s is refused: %s', async (notification_url, auth_url, path) => {
  const child = { ...account, masterId: 'its master' }
  const asked = service.subscribe(child, processId, NewSubscription.parse({ notification_url, auth_url }))
  await expect(asked).rejects.toMatchObject({ errors: [{ path }] })
})

test.each(['http://one.test/login', 'https://login.example.org/token'])(
  'its login may be at its receiver’s origin, or where the operator says: %s',
  async (auth_url) => {
    const child = { ...account, masterId: 'its master' }
    const wished = NewSubscription.parse({ notification_url: 'http://one.test/hook', auth_url })
    expect(await service.subscribe(child, processId, wished)).toMatchObject({ authUrl: auth_url })
  },
)
