import { beforeEach, expect, test } from 'vitest'
import { createMetrics } from '../observe/metrics.ts'
import { createLog } from '../observe/log.ts'
import { type LivePublisher, type PublishedKind } from '../core/live-publishing.ts'
import { createPublications } from './publications.ts'

let sent: [subject: string, text: string][]
let state: { isWithinLease: boolean; hasRoom: boolean; isTaken: boolean }
let lookUps: { accountId: string; answer: (username: string | undefined) => void; fail: () => void }[]
let metrics: ReturnType<typeof createMetrics>
let logged: object[]

beforeEach(() => {
  sent = []
  state = { isWithinLease: true, hasRoom: true, isTaken: true }
  lookUps = []
  logged = []
  metrics = createMetrics()
})

function create(kinds: readonly PublishedKind[] = ['scenes', 'notifications']): LivePublisher {
  return createPublications({
    kinds,
    bus: {
      publish(subject, data) {
        if (state.isTaken) sent.push([subject, Buffer.from(data).toString()])
        return state.isTaken
      },
      whenRoom: () => (state.hasRoom ? undefined : new Promise(() => {})),
    },
    findUsername: (accountId) =>
      new Promise((answer, reject) => lookUps.push({ accountId, answer, fail: () => reject(new Error('away')) })),
    isWithinLease: () => state.isWithinLease,
    metrics,
    log: createLog({ level: 'warn', write: (line) => void logged.push(JSON.parse(line) as object) }),
  })
}

const at = (processId: string, accountId = 'account-1') => ({ processId, accountId })
const settle = () => new Promise(setImmediate)

async function counted(): Promise<Record<string, number>> {
  const lines = [...(await metrics.text()).matchAll(/^aerie_nats_published\{kind="(\w+)",outcome="(\w+)"\} (\d+)$/gm)]
  return Object.fromEntries(lines.map(([, kind, outcome, value]) => [`${kind} ${outcome}`, Number(value)]))
}

/** A publisher that knows the name of the account by now. */
async function createKnown(): Promise<LivePublisher> {
  const publisher = create()
  publisher.publishScene!(at('p'), 'first')
  lookUps[0]!.answer('pilot')
  await settle()
  sent = []
  return publisher
}

test('each account has subjects of its own, each process and each type too', async () => {
  const publisher = await createKnown()
  publisher.publishScene!(at('p'), '{"sequence":1}')
  publisher.publishNotification!(at('q'), 'new-tracks', '{"type":"new-tracks"}')
  publisher.publishScene!(at('r', 'account-2'), '{}')
  lookUps[1]!.answer('a.*>')
  await settle()
  expect(sent).toEqual([
    ['aerie.v1.scene.pilot.p', '{"sequence":1}'],
    ['aerie.v1.notification.pilot.q.new-tracks', '{"type":"new-tracks"}'],
    ['aerie.v1.scene.a%2E%2A%3E.r', '{}'],
  ])
  expect(lookUps.map(({ accountId }) => accountId)).toEqual(['account-1', 'account-2'])
})

test('what comes while the name is looked up follows in its order, up to a hundred', async () => {
  const publisher = create()
  for (let i = 1; i <= 130; i++) publisher.publishScene!(at('p'), String(i))
  expect(lookUps).toHaveLength(1)
  lookUps[0]!.answer('pilot')
  await settle()
  publisher.publishScene!(at('p'), 'next')
  expect(sent.map(([, text]) => text)).toEqual([...Array.from({ length: 100 }, (_, i) => String(i + 1)), 'next'])
  expect(await counted()).toMatchObject({ 'scenes sent': 101, 'scenes dropped': 30 })
})

test('of a key that was revoked nothing is published; after a look-up that failed the next one is made', async () => {
  const publisher = create()
  publisher.publishNotification!(at('p'), 'process-state', 'lost')
  lookUps[0]!.fail()
  await settle()
  expect(logged).toMatchObject([{ account_id: 'account-1' }])
  publisher.publishNotification!(at('p'), 'process-state', 'revoked')
  lookUps[1]!.answer(undefined)
  await settle()
  expect(sent).toEqual([])
  expect(await counted()).toMatchObject({ 'notifications sent': 0, 'notifications dropped': 2 })
  publisher.publishNotification!(at('p'), 'process-state', 'known')
  lookUps[2]!.answer('pilot')
  await settle()
  expect(sent).toEqual([['aerie.v1.notification.pilot.p.process-state', 'known']])
})

test.each([
  ['the lease of the node is over', { isWithinLease: false }],
  ['messages between nodes need the room', { hasRoom: false }],
  ['NATS does not take it', { isTaken: false }],
])('it is dropped and counted when %s, and never kept', async (_, change) => {
  const publisher = await createKnown()
  Object.assign(state, change)
  publisher.publishScene!(at('p'), 'dropped')
  Object.assign(state, { isWithinLease: true, hasRoom: true, isTaken: true })
  publisher.publishScene!(at('p'), 'sent')
  expect(sent.map(([, text]) => text)).toEqual(['sent'])
  expect(await counted()).toMatchObject({ 'scenes sent': 2, 'scenes dropped': 1 })
})

test('what is not wanted is not published, and where nothing is, nothing is counted', async () => {
  expect(create([])).toEqual({ publishScene: undefined, publishNotification: undefined })
  expect(await counted()).toEqual({})
  expect(create(['notifications']).publishScene).toBeUndefined()
})
