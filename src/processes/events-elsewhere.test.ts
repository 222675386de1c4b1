import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { aHealth, aProcess, aScene } from '../../test/builders/process.ts'
import { createLog } from '../observe/log.ts'
import { createDetectionChannel, type DetectionClient } from './detection-channel.ts'
import { createEventForwarder } from './event-forwarder.ts'
import { createEventsElsewhere } from './events-elsewhere.ts'
import { type Process } from './process.ts'
import { createStatusFeed } from './status-feed.ts'

type TestNode = ReturnType<typeof startNode>

const process = aProcess({ state: 'running' })
let clock: FakeClock
let exchanges: FakeExchanges
let lines: { msg: string }[]
/** As the database has it. */
let row: { state: Process['state']; nodeId: string | null }
let isDatabaseAway: boolean
let nodes: Record<'a' | 'b', TestNode>
beforeEach(() => {
  clock = createFakeClock()
  exchanges = createFakeExchanges()
  lines = []
  row = { state: 'running', nodeId: 'b' }
  isDatabaseAway = false
  nodes = { a: startNode('a'), b: startNode('b') }
  nodes.b.running.push(process)
})
afterEach(() => Promise.all(Object.values(nodes).map((node) => node.close())))

function startNode(nodeId: string) {
  const running: Process[] = []
  const problem = { cause: '' }
  const channel = createDetectionChannel()
  const healthOf = () =>
    aHealth({
      lastFrameAgeMs: 40,
      problem: problem.cause ? { cause: problem.cause, sentence: `${problem.cause}!` } : null,
    })
  const feed = createStatusFeed({ channel, listProcesses: () => running, healthOf, clock })
  const isHere = (processId: string) => running.some(({ id }) => id === processId)
  const forwarder = createEventForwarder({ channel, isHere, exchange: exchanges.of(nodeId), clock })
  const isLive = () => !['stopped', 'failed', 'finished'].includes(row.state)
  async function query<T>(answer: T): Promise<T> {
    if (isDatabaseAway) throw new Error('away')
    return answer
  }
  const events = createEventsElsewhere({
    channel,
    isHere,
    store: {
      findElsewhere: (ids) =>
        query(isLive() && row.nodeId !== nodeId ? ids.map((processId) => ({ processId, sourceId: 's', ...row })) : []),
      findEnded: (ids) => query(isLive() ? [] : ids.map((processId) => ({ processId, state: row.state }))),
    },
    nodeId,
    exchange: exchanges.of(nodeId),
    onRound: () => forwarder.sweep(),
    clock,
    log: createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) }),
  })
  feed.start()
  events.start()
  const close = async () => {
    await events.close()
    feed.close()
    forwarder.close()
  }
  return { channel, forwarder, running, problem, close }
}

/** A client of the process at this node, and what it has heard. */
async function listenAt({ channel }: TestNode) {
  const heard: string[] = []
  const client: DetectionClient = {
    take: (message, sequence) =>
      heard.push(`${sequence}: ${(JSON.parse(message) as { process_uuid: string }).process_uuid}`),
    status: ({ state, problem }) => heard.push(`${state}, ${problem ?? 'well'}`),
    minutesLow: ({ lastsSeconds }) => heard.push(`${lastsSeconds} s left`),
    end: ({ state }) => heard.push(state),
    moved: () => heard.push('moved'),
  }
  const leave = channel.listen(process.id, client)
  await new Promise(setImmediate)
  return { heard, leave }
}

async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) await clock.advance(1_000)
}

test('a client hears from any node how it goes, what is seen, and how it ends', async () => {
  const { heard } = await listenAt(nodes.a)
  nodes.b.channel.onScene(process, aScene())
  nodes.b.channel.onScene(process, aScene())
  nodes.b.problem.cause = 'Silent'
  await advance(1_000)
  const low = { accountId: 'account', remainingSeconds: 60, allottedSeconds: 600, lastsSeconds: 60 }
  nodes.b.channel.onMinutesLow({ ...low, processIds: [process.id] })
  nodes.b.channel.onEnd({ ...process, state: 'finished' })
  expect(heard).toEqual([
    'running, well',
    `1: ${process.id}`,
    `2: ${process.id}`,
    'running, Silent!',
    '60 s left',
    'finished',
  ])
  expect([nodes.a, nodes.b].map(({ channel }) => channel.countAudiences())).toEqual([0, 0])
})

test('nothing is sent while nobody listens elsewhere, nor to a node that says no more that it does', async () => {
  nodes.b.channel.onScene(process, aScene())
  await listenAt(nodes.b)
  await advance(5_000)
  expect(exchanges.sent).toEqual([])
  const { leave } = await listenAt(nodes.a)
  await advance(30_000)
  expect(nodes.b.forwarder.count()).toBe(1)
  leave()
  await advance(15_000)
  expect(nodes.b.forwarder.count()).toBe(0)
  expect(nodes.b.channel.countClients(process.id)).toBe(1)
})

test('alerts and telemetry come from another node to those who ask for them, and are not sent for others', async () => {
  const alert = {
    ...{ event_uuid: randomUUID(), alert_uuid: randomUUID(), alias: 'gate', type: 'filter-search', event: 'found' },
    ...{ process_uuid: process.id, source_uuid: randomUUID(), at: '2026-01-01T00:00:00.000Z', track_ids: [3] },
  }
  const telemetryOf = (altitude: number) => ({ process_uuid: process.id, age_ms: 20, timestamp: 1, altitude })
  const send = (number: number) => {
    nodes.b.channel.onAlert(alert)
    nodes.b.channel.onTelemetry(telemetryOf(number), number)
  }
  const sentTypes = () => exchanges.sent.flatMap(({ message }) => (message as { type?: string }).type ?? [])

  const plain = await listenAt(nodes.a)
  send(1)
  expect(sentTypes()).toEqual(['status'])

  const asked: string[] = []
  const leave = nodes.a.channel.listen(process.id, {
    take: () => {},
    alert: ({ event, track_ids }) => asked.push(`${event} ${track_ids.join()}`),
    telemetry: ({ altitude }) => asked.push(`at ${altitude} m`),
    end: () => {},
    moved: () => {},
  })
  await new Promise(setImmediate)
  send(2)
  // Each renewal of the interest is answered with the last one again: nobody gets it twice.
  await advance(5_000)
  send(2)
  expect(asked).toEqual(['found 3', 'at 2 m', 'found 3'])
  expect(plain.heard).toEqual(['running, well'])

  leave()
  await advance(5_000)
  const before = sentTypes().length
  send(3)
  expect(sentTypes()).toHaveLength(before)
})

test('every client gets the status once, whenever it comes', async () => {
  const first = await listenAt(nodes.a)
  nodes.b.channel.onScene(process, aScene())
  const second = await listenAt(nodes.a)
  await advance(20_000)
  expect(first.heard).toEqual(['running, well', `1: ${process.id}`])
  expect(second.heard).toEqual(['running, well'])
})

test('a node that is not heard of any more is named; when it is back all goes on', async () => {
  const { heard } = await listenAt(nodes.a)
  exchanges.cutOff('b')
  await advance(16_000)
  exchanges.connect('b')
  await advance(5_000)
  nodes.b.channel.onScene(process, aScene())
  expect(heard).toEqual([
    'running, well',
    'running, The node b, on which it runs, does not answer.',
    'running, well',
    `1: ${process.id}`,
  ])
})

test('an end of which nothing was heard is found in the database, when that is there', async () => {
  const { heard } = await listenAt(nodes.a)
  exchanges.cutOff('b')
  row = { ...row, state: 'failed' }
  isDatabaseAway = true
  await advance(8_000)
  expect(heard).toEqual(['running, well'])
  expect(lines.map(({ msg }) => msg)).toEqual(['it cannot be read how processes on other nodes go; trying again'])
  isDatabaseAway = false
  await advance(5_000)
  expect(heard).toEqual(['running, well', 'failed'])
})

test('a process that moves is heard from where it goes on, also when that is here', async () => {
  const c = startNode('c')
  nodes = { ...nodes, c } as typeof nodes
  const { heard } = await listenAt(nodes.a)
  nodes.b.running.pop()
  c.running.push(process)
  row = { ...row, nodeId: 'c' }
  nodes.b.channel.onMoved(process.id)
  expect(nodes.b.forwarder.count()).toBe(0)
  await advance(5_000)
  c.channel.onScene(process, aScene())
  c.running.pop()
  nodes.a.running.push(process)
  row = { ...row, nodeId: 'a' }
  nodes.a.channel.onScene(process, aScene())
  c.channel.onScene(process, aScene())
  expect(heard).toEqual(['running, well', `1: ${process.id}`, `1: ${process.id}`])
})
