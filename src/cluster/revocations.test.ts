import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { type Bus, createBus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { createLog } from '../observe/log.ts'
import { createRevocations, type Revocations } from './revocations.ts'
import { type Revocation } from './revocations.store.ts'

interface Node {
  readonly bus: Bus<AppEvents>
  readonly revocations: Revocations
  /** What its features handled, and whether with purge. */
  readonly events: string[]
}

let clock: FakeClock
let exchanges: FakeExchanges
/** What the database has, and when it came. */
let rows: (Revocation & { readonly at: number })[]
let polledFrom: number[]
let failing: string | undefined
let nodes: Node[]
let warnings: number
beforeEach(() => {
  clock = createFakeClock()
  exchanges = createFakeExchanges()
  rows = []
  polledFrom = []
  failing = undefined
  nodes = []
  warnings = 0
})
afterEach(() => Promise.all(nodes.map(({ revocations }) => revocations.close())))

async function startNode(nodeId: string): Promise<Node> {
  const events: string[] = []
  const bus = createBus<AppEvents>(() => {})
  const revocations = createRevocations({
    exchange: exchanges.of(nodeId),
    store: {
      async listSince(time) {
        polledFrom.push(time)
        if (failing === 'database') throw new Error('The database cannot be reached.')
        return rows.filter(({ at }) => at >= time).map(({ at: _, ...revocation }) => revocation)
      },
    },
    bus,
    clock,
    log: createLog({ level: 'warn', write: () => void warnings++ }),
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (failing === `${accountId} at ${nodeId}`) throw new Error('It cannot be done now.')
    events.push(`${accountId}${purge ? ' with purge' : ''}`)
  })
  const node = { bus, revocations, events }
  nodes.push(node)
  revocations.start()
  await clock.advance(0)
  return node
}

const revoked = (accountId: string, purge = false): Revocation => ({ accountId, username: accountId, purge })
const eventsOfAll = () => nodes.map(({ events }) => events)

test('a key that is revoked at one node loses its rights at all of them at once', async () => {
  const [a] = [await startNode('a'), await startNode('b'), await startNode('c')]
  await a.bus.deliver('key-revoked', revoked('ann'))
  await clock.advance(0)
  expect(eventsOfAll()).toEqual([['ann'], ['ann'], ['ann']])
  expect(exchanges.sent).toHaveLength(1)
})

test('what a purged key had goes elsewhere when its rows are gone, and not before', async () => {
  const [a] = [await startNode('a'), await startNode('b')]
  await a.bus.deliver('key-revoked', revoked('ann', true))
  await clock.advance(0)
  expect(eventsOfAll()).toEqual([['ann with purge'], ['ann']])
  a.bus.emit('key-purged', { accountId: 'ann', username: 'ann' })
  await clock.advance(0)
  expect(eventsOfAll()).toEqual([['ann with purge'], ['ann', 'ann with purge']])
})

test('what was lost on the way is found within five seconds, and handled once', async () => {
  const [a] = [await startNode('a'), await startNode('b')]
  exchanges.isAway = true
  await a.bus.deliver('key-revoked', revoked('ann'))
  rows.push({ ...revoked('ann'), at: clock.now() - 50_000 })
  await clock.advance(4_999)
  expect(eventsOfAll()).toEqual([['ann'], []])
  await clock.advance(1)
  for (let looks = 0; looks < 3; looks++) await clock.advance(5_000)
  expect(eventsOfAll()).toEqual([['ann'], ['ann']])
  rows = [{ ...revoked('ann', true), at: clock.now() }]
  await clock.advance(5_000)
  expect(eventsOfAll()).toEqual([
    ['ann', 'ann with purge'],
    ['ann', 'ann with purge'],
  ])
})

test('what a node could not do is done when it can, and what came behind it at once', async () => {
  const [a] = [await startNode('a'), await startNode('b')]
  failing = 'ann at b'
  for (const accountId of ['ann', 'bob']) {
    rows.push({ ...revoked(accountId), at: clock.now() })
    await a.bus.deliver('key-revoked', revoked(accountId))
  }
  await clock.advance(5_000)
  expect(eventsOfAll()).toEqual([['ann', 'bob'], ['bob']])
  failing = undefined
  await clock.advance(5_000)
  expect(eventsOfAll()).toEqual([
    ['ann', 'bob'],
    ['bob', 'ann'],
  ])
  expect(warnings).toBe(1)
})

test('after an outage of the database it looks at all that came since it last could', async () => {
  const b = await startNode('b')
  const firstLook = clock.now()
  await clock.advance(5_000)
  failing = 'database'
  for (let looks = 0; looks < 100; looks++) await clock.advance(5_000)
  failing = undefined
  rows.push({ ...revoked('ann'), at: firstLook + 60_000 })
  await clock.advance(5_000)
  expect(b.events).toEqual(['ann'])
  expect(polledFrom.at(-1)).toBe(firstLook + 5_000 - 120_000)
  expect(warnings).toBe(1)
})
