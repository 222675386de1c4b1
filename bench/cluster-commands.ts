import { z } from 'zod'
import { type RequestTopic } from '../src/core/node-exchange.ts'
import { createTestExchanges } from '../test/support/exchanges.ts'
import { type ClusterNode, type NodeCluster } from '../test/support/node-cluster.ts'
import { type Started } from '../test/support/process-rig.ts'
import { percentile } from '../test/support/relay-latency.ts'
import { ms, type Row } from './benchmark.ts'

const REQUESTS = 400
const COMMANDS = 30
const EXCHANGES = 3_000

/** A process of node a, used at node a and at node b in turn, as its user sees it. */
export async function commandRows(nodes: NodeCluster): Promise<Row[]> {
  const both = [nodes.node('a'), nodes.node('b')] as const
  const { sourceId } = await nodes.goLive('a', 'commanded')
  const start = `/start?source_uuid=${sourceId}`
  const { process_uuid: id } = await both[0].ask<Started>('POST', start)
  await nodes.untilState('a', id, 'running', 60_000)
  const timed = async (node: ClusterNode, method: string, path: string) => {
    const startedAt = performance.now()
    await node.ask(method, `/process/${id}${path}`)
    return performance.now() - startedAt
  }
  const commands: [number[], number[]] = [[], []]
  for (let n = 0; n < COMMANDS; n++)
    for (const [at, node] of both.entries())
      for (const command of ['/pause', '/resume']) commands[at]!.push(await timed(node, 'POST', command))
  // Paused, so that its detection takes nothing of the machine.
  await both[0].ask('POST', `/process/${id}/pause`)
  const requests: [number[], number[]] = [[], []]
  for (let n = 0; n < REQUESTS; n++)
    for (const [at, node] of both.entries()) requests[at]!.push(await timed(node, 'GET', ''))
  await both[0].ask('DELETE', '/processes')
  return [...inTurn('`GET /process/{process_uuid}`', requests), ...inTurn('pause and resume', commands)]
}

/** Without HTTP: a request over NATS and its response, sealed and checked. */
export async function exchangeRows(): Promise<Row[]> {
  const exchanges = await createTestExchanges()
  try {
    const [a, b] = [await exchanges.join('a'), await exchanges.join('b')]
    const echo: RequestTopic<string, string> = { name: 'echo', schema: z.string(), responseSchema: z.string() }
    b.handle(echo, async (text) => text)
    await exchanges.settle()
    const times: number[] = []
    for (let n = 0; n < EXCHANGES; n++) {
      const startedAt = performance.now()
      await a.request('b', echo, 'the same again')
      times.push(performance.now() - startedAt)
    }
    return [{ what: 'a bare request to another node over NATS and its response', value: spread(times) }]
  } finally {
    await exchanges.remove()
  }
}

function inTurn(what: string, [here, elsewhere]: readonly [number[], number[]]): Row[] {
  return [
    { what: `${what}, at its own node`, value: spread(here) },
    { what: `${what}, at another node`, value: spread(elsewhere) },
    {
      what: `${what}: another node against its own, p50`,
      value: `${(median(elsewhere) / median(here)).toFixed(2)} times`,
    },
  ]
}

const sorted = (times: readonly number[]) => [...times].sort((a, b) => a - b)
const median = (times: readonly number[]) => percentile(sorted(times), 0.5)
const spread = (times: readonly number[]) =>
  `p50 ${ms(median(times))}, p95 ${ms(percentile(sorted(times), 0.95))}, p99 ${ms(percentile(sorted(times), 0.99))}`
