import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { createHttpReceiver } from '../test/support/http-receiver.ts'
import { createNodeCluster, type NodeCluster } from '../test/support/node-cluster.ts'
import { type Started } from '../test/support/process-rig.ts'
import { type Row } from './benchmark.ts'
import { type DatabaseLoad, measureDatabase } from './database-writes.ts'
import { natsTraffic } from './nats-traffic.ts'

const PROCESSES = 4
const SECONDS = 40
/** Until what a start brings with it is written. */
const SETTLE_MS = 12_000

interface Load {
  readonly database: DatabaseLoad
  /** To and from the server together, a second. */
  readonly messages: number
  readonly bytes: number
}

export async function streamRows(): Promise<Row[]> {
  const monitor = await freePort()
  const nodes = await createNodeCluster(
    ['a', 'b'],
    { AERIE_LOG_LEVEL: 'warn', AERIE_NODE_LEASE: '15' },
    { nats: [`http: "127.0.0.1:${monitor}"`], postgres: ['shared_preload_libraries=pg_stat_statements'] },
  )
  const receiver = await createHttpReceiver()
  const measure = async (): Promise<Load> => {
    await sleep(SETTLE_MS)
    const [before, startedAt] = [await natsTraffic(monitor), performance.now()]
    const database = await measureDatabase(nodes.postgres, SECONDS)
    const [after, seconds] = [await natsTraffic(monitor), (performance.now() - startedAt) / 1000]
    return {
      database,
      messages: (after.messages - before.messages) / seconds,
      bytes: (after.bytes - before.bytes) / seconds,
    }
  }
  try {
    await nodes.postgres.query('create extension pg_stat_statements')
    await sleep(SETTLE_MS)
    const idle = await measure()
    const sources: string[] = []
    for (let n = 0; n < PROCESSES; n++) sources.push((await nodes.goLive('a', `stream-${n}`)).sourceId)
    const streams = await measure()
    const first = await startProcess(nodes, sources[0]!)
    const one = await measure()
    await nodes.node('a').ask('POST', `/subscribe/${first}`, {
      body: { notification_url: receiver.url, event_type: 'new-tracks' },
    })
    const listening = new AbortController()
    void listen(nodes, first, listening.signal)
    const watched = await measure()
    listening.abort()
    for (const source of sources.slice(1)) await startProcess(nodes, source)
    return rowsOf({ idle, streams, one, watched, four: await measure() })
  } finally {
    await nodes.remove()
    await receiver.close()
  }
}

async function startProcess(nodes: NodeCluster, sourceId: string): Promise<string> {
  const { process_uuid: id } = await nodes.node('a').ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  await nodes.untilState('a', id, 'running', 60_000)
  return id
}

/** At the node that does not have the process. */
async function listen(nodes: NodeCluster, processId: string, signal: AbortSignal): Promise<void> {
  const url = `${nodes.node('b').service.url}/process/${processId}/events`
  try {
    const response = await fetch(url, { headers: { api_key: nodes.masterKey }, signal })
    for await (const _ of response.body!);
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

type Loads = Readonly<Record<'idle' | 'streams' | 'one' | 'watched' | 'four', Load>>

function rowsOf({ idle, streams, one, watched, four }: Loads): Row[] {
  const nodes = 2
  return [
    { what: 'idle: statements a second of a node', value: (idle.database.statements / nodes).toFixed(1) },
    ...added('idle: of a node', idle, undefined, nodes),
    ...added('a recorded stream', streams, idle, PROCESSES),
    ...added('one process', one, streams, 1),
    ...added('its webhook', watched, one, 1, ['outbox']),
    ...added('each of four processes', four, streams, PROCESSES),
    {
      what: 'four processes: the database works, of a core',
      value: `${(four.database.workMs / 10).toFixed(1)} %`,
    },
    { what: 'NATS, idle nodes: messages and bytes a second', value: traffic(idle, undefined) },
    { what: 'NATS, four streams at one of two nodes', value: traffic(streams, undefined) },
    { what: 'NATS, a listener to a process of the other node adds', value: traffic(watched, one) },
  ]
}

/** What writes, for each of `count`; less what was there before. */
function added(what: string, load: Load, before: Load | undefined, count: number, only?: readonly string[]): Row[] {
  return load.database.writes.flatMap(({ kind, ...now }, index) => {
    const then = before?.database.writes[index] ?? { statements: 0, walBytes: 0 }
    const statements = (now.statements - then.statements) / count
    if (statements < 0.01 || (only && !only.includes(kind))) return []
    const bytes = (now.walBytes - then.walBytes) / count
    return [{ what: `${what}: ${kind}`, value: `${statements.toFixed(2)} writes, ${bytes.toFixed(0)} bytes a second` }]
  })
}

function traffic({ messages, bytes }: Load, before: Load | undefined): string {
  const [more, moreBytes] = [messages - (before?.messages ?? 0), bytes - (before?.bytes ?? 0)]
  return `${more.toFixed(1)} messages, ${moreBytes.toFixed(0)} bytes`
}
