import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createNatsServer, type NatsServer } from '../../test/support/nats.ts'
import { until } from '../../test/support/until.ts'
import { createLog } from '../observe/log.ts'
import { type Question, type Topic } from '../core/node-exchange.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { createNatsBus, type NatsBus } from './nats-bus.ts'

const SECRET = 'the secret of this service'
const news: Topic<{ path: string }> = { name: 'news', shape: z.object({ path: z.string() }) }
const sum: Question<number[], number> = { name: 'sum', shape: z.array(z.number()), answer: z.number() }

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
  const exchange = createExchange({ bus, nodeId, secret, clock: createFakeClock(now), log })
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

describe('what is told', () => {
  test('is heard by all nodes but the one that tells', async () => {
    const [a, b, c] = [await startNode('a'), await startNode('b'), await startNode('c')]
    const heard: string[] = []
    for (const [name, { exchange }] of Object.entries({ a, b, c }))
      exchange.onTold(news, ({ path }, from) => heard.push(`${name}: ${path} of ${from}`))
    for (const node of [a, b, c]) await settled(node)
    a.exchange.tell(news, { path: 'ada/cam' })
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
    a.exchange.onTold(news, () => void (isHeard = true))
    await settled(a)
    stranger.exchange.tell(news, { path: 'ada/cam' })
    await until(async () => lines.length === 1)
    expect(lines[0]).toMatchObject({ msg: 'a message between nodes is ignored', reason: expect.stringMatching(reason) })
    expect(isHeard).toBe(false)
  })

  test('of another shape, or sealed for another topic, is ignored', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    const heard: unknown[] = []
    const other = { name: 'other', shape: z.object({ path: z.string() }) }
    a.exchange.onTold(news, (message) => void heard.push(message))
    let sealed: Uint8Array | undefined
    b.bus.subscribe('aerie.v1.nodes.other', ({ data }) => void (sealed = data))
    await settled(a)
    await settled(b)
    b.exchange.tell({ name: 'news', shape: z.number() }, 7)
    b.exchange.tell(other, { path: 'ada/cam' })
    await until(async () => sealed !== undefined)
    b.bus.publish('aerie.v1.nodes.news', sealed!)
    b.bus.publish('aerie.v1.nodes.news', Buffer.from('short'))
    await until(async () => lines.length === 3)
    expect(heard).toEqual([])
  })
})

describe('what is asked', () => {
  const addUp = async (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

  test('is answered by that node', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.onAsked(sum, addUp)
    await settled(b)
    expect(await a.exchange.ask('b', sum, [1, 2, 3])).toBe(6)
  })

  test('of a node that is not there, is refused at once', async () => {
    const { exchange } = await startNode('a')
    await expect(exchange.ask('gone', sum, [])).rejects.toMatchObject({
      code: 'node-unreachable',
      retryAfterSeconds: 2,
    })
  })

  test('and could not be done, is told with why', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.onAsked(sum, () => Promise.reject(new Error('there is no room.')))
    await settled(b)
    const failure = await a.exchange.ask('b', sum, []).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'node-unreachable',
      cause: expect.objectContaining({ message: 'there is no room.' }),
    })
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      'another node does not answer',
      'what another node asked was not done',
    ])
  })

  test('an answer of somebody else, or to another question, is none', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.exchange.onAsked(sum, addUp)
    await settled(b)
    const answers: Uint8Array[] = []
    a.bus.subscribe('_INBOX.>', ({ data }) => void answers.push(data))
    await a.exchange.ask('b', sum, [1])
    await settled(a)
    const stranger = await startNode('stranger')
    stranger.bus.subscribe('aerie.v1.node.c.ask.sum', ({ respond }) => void respond(answers[0]!))
    await settled(stranger)
    await expect(a.exchange.ask('c', sum, [1])).rejects.toMatchObject({ code: 'node-unreachable' })
  })
})
