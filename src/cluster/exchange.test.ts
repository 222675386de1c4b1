import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createNatsServer, type NatsServer } from '../../test/support/nats.ts'
import { until } from '../../test/support/until.ts'
import { createLog } from '../observe/log.ts'
import { type RequestTopic, type Topic } from '../core/node-exchange.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { createNatsBus, type NatsBus } from './nats-bus.ts'

const SECRET = 'the secret of this service'
const news: Topic<{ path: string }> = { name: 'news', schema: z.object({ path: z.string() }) }
const sum: RequestTopic<number[], number> = { name: 'sum', schema: z.array(z.number()), responseSchema: z.number() }

let nats: NatsServer
let ends: (() => unknown)[]
let lines: { msg: string; reason?: string; node?: string }[]
beforeAll(async () => void (nats = await createNatsServer()))
afterAll(() => nats.remove())
beforeEach(() => {
  ends = []
  lines = []
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
})

interface Node {
  readonly bus: NatsBus
  readonly exchange: Exchange
}

async function startNode(nodeId: string, { secret = SECRET, now = Date.now() } = {}): Promise<Node> {
  const log = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) })
  const bus = createNatsBus({ url: nats.url, name: nodeId }, { log })
  await until(async () => bus.isConnected)
  const exchange = createExchange({ bus, node: { id: nodeId, epoch: 1 }, secret, clock: createFakeClock(now), log })
  ends.push(
    () => bus.close(),
    () => exchange.close(),
  )
  return { bus, exchange }
}

/** Everything that was subscribed to is known to the server when this has come back. */
async function settled({ bus }: Node): Promise<void> {
  let isBack = false
  const stop = bus.subscribe('test.settled', () => void (isBack = true))
  bus.publish('test.settled', Buffer.alloc(0))
  await until(async () => isBack)
  stop()
}

describe('what is published', () => {
  test('comes to all nodes but the one that publishes it', async () => {
    const [a, b, c] = [await startNode('a'), await startNode('b'), await startNode('c')]
    const heard: string[] = []
    for (const [name, { exchange }] of Object.entries({ a, b, c }))
      exchange.subscribe(news, ({ path }, from) => heard.push(`${name}: ${path} of ${from}`))
    for (const node of [a, b, c]) await settled(node)
    a.exchange.publish(news, { path: 'ada/cam' })
    await until(async () => heard.length === 2)
    await settled(a)
    expect(heard.sort()).toEqual(['b: ada/cam of a', 'c: ada/cam of a'])
  })

  test.each([
    ['another secret', { secret: 'another' }, /nobody who knows the secret/],
    ['another time', { now: Date.now() - 61_000 }, /clock of stranger is off by 6\d s: set it by NTP/],
  ])('by a node with %s is ignored, and why is logged', async (_name, options, reason) => {
    const [a, stranger] = [await startNode('a'), await startNode('stranger', options)]
    let isHeard = false
    a.exchange.subscribe(news, () => void (isHeard = true))
    await settled(a)
    stranger.exchange.publish(news, { path: 'ada/cam' })
    await until(async () => lines.length === 1)
    expect(lines[0]).toMatchObject({ msg: 'a message between nodes is ignored', reason: expect.stringMatching(reason) })
    expect(isHeard).toBe(false)
  })

  test('that is sent again by somebody who recorded it is heard once, by each that listens', async () => {
    const [a, b, stranger] = [await startNode('a'), await startNode('b'), await startNode('stranger')]
    const heard: string[] = []
    for (const listener of ['one', 'other'])
      b.exchange.subscribe(news, ({ path }) => heard.push(`${listener}: ${path}`))
    const recorded: Uint8Array[] = []
    stranger.bus.subscribe('aerie.v1.nodes.news', ({ data }) => void recorded.push(data.slice()))
    for (const node of [b, stranger]) await settled(node)
    for (const path of ['ada/1', 'ada/2']) a.exchange.publish(news, { path })
    await until(async () => recorded.length === 2)
    for (const data of recorded.slice()) stranger.bus.publish('aerie.v1.nodes.news', data)
    await settled(stranger)
    await settled(b)
    expect(heard.sort()).toEqual(['one: ada/1', 'one: ada/2', 'other: ada/1', 'other: ada/2'])
    expect(lines[0]!.reason).toMatch(/sent again by somebody else than a/)
  })

  test('of which something is missing is heard with a word of that, and so is the first after NATS was away', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    const heard: string[] = []
    const listener = ({ path }: { path: string }) => void heard.push(path)
    b.exchange.subscribe(news, listener, () => void heard.push('loss'))
    await settled(b)
    a.exchange.publish(news, { path: '1' })
    const other = { name: 'other', schema: z.number() }
    a.exchange.publish(other, 1)
    a.exchange.publish(news, { path: '2' })
    // Too large for NATS: it was never sent.
    a.exchange.publish(news, { path: 'x'.repeat(2_000_000) })
    a.exchange.publish(news, { path: '4' })
    await until(async () => heard.length === 4)
    expect(heard).toEqual(['1', '2', 'loss', '4'])
  })

  test('of another schema, or sealed for another topic, is ignored', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    const heard: unknown[] = []
    const other = { name: 'other', schema: z.object({ path: z.string() }) }
    a.exchange.subscribe(news, (message) => void heard.push(message))
    let sealed: Uint8Array | undefined
    b.bus.subscribe('aerie.v1.nodes.other', ({ data }) => void (sealed = data))
    await settled(a)
    await settled(b)
    b.exchange.publish({ name: 'news', schema: z.number() }, 7)
    b.exchange.publish(other, { path: 'ada/cam' })
    await until(async () => sealed !== undefined)
    b.bus.publish('aerie.v1.nodes.news', sealed!)
    b.bus.publish('aerie.v1.nodes.news', Buffer.from('short'))
    await until(async () => lines.length === 3)
    expect(heard).toEqual([])
  })
})

describe('a request', () => {
  const addUp = async (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

  test('is answered by that node', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.handle(sum, addUp)
    await settled(b)
    expect(await a.exchange.request('b', sum, [1, 2, 3])).toBe(6)
  })

  test('to a node that is not there is rejected at once', async () => {
    const { exchange } = await startNode('a')
    await expect(exchange.request('gone', sum, [])).rejects.toMatchObject({
      code: 'node-unreachable',
      retryAfterSeconds: 2,
    })
  })

  test('that could not be done is rejected with the reason', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.handle(sum, () => Promise.reject(new Error('there is no room.')))
    await settled(b)
    const failure = await a.exchange.request('b', sum, []).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'node-unreachable',
      cause: expect.objectContaining({ message: 'there is no room.' }),
    })
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      'a request of another node failed',
      'another node does not answer',
    ])
  })

  test('that is sent again by somebody who recorded it is done once', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    let handled = 0
    b.exchange.handle(sum, async () => ++handled)
    const stranger = await startNode('stranger')
    const recorded: Uint8Array[] = []
    stranger.bus.subscribe('aerie.v1.node.b.request.sum', ({ data }) => void recorded.push(data.slice()))
    for (const node of [b, stranger]) await settled(node)
    await a.exchange.request('b', sum, [1])
    await until(async () => recorded.length === 1)
    stranger.bus.publish('aerie.v1.node.b.request.sum', recorded[0]!)
    await until(async () => lines.length === 1)
    expect(lines[0]!.reason).toMatch(/handled before/)
    expect(handled).toBe(1)
  })

  test('whose answer NATS does not take is rejected at once', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    const text: RequestTopic<number, string> = { name: 'text', schema: z.number(), responseSchema: z.string() }
    b.exchange.handle(text, async (length) => 'x'.repeat(length))
    await settled(b)
    const failure = await a.exchange.request('b', text, 2_000_000).catch((error: unknown) => error)
    expect(failure).toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining('too large') }) })
  })

  test('is not answered by somebody else, nor by the reply to another one', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.handle(sum, addUp)
    await settled(b)
    const replies: Uint8Array[] = []
    a.bus.subscribe('_INBOX.>', ({ data }) => void replies.push(data))
    await a.exchange.request('b', sum, [1])
    await settled(a)
    const stranger = await startNode('stranger')
    stranger.bus.subscribe('aerie.v1.node.c.request.sum', ({ respond }) => void respond(replies[0]!))
    await settled(stranger)
    await expect(a.exchange.request('c', sum, [1])).rejects.toMatchObject({ code: 'node-unreachable' })
  })
})
