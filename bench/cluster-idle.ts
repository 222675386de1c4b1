import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../test/support/child-processes.ts'
import { cpuMsOf } from '../test/support/cpu-time.ts'
import { type NodeCluster } from '../test/support/node-cluster.ts'
import { type RunningService } from '../test/support/installation.ts'
import { percent, type Row } from './benchmark.ts'
import { natsTraffic } from './nats-traffic.ts'

const SECONDS = 60

/** What a node does that has nothing to do, against a service alone. */
export async function idleRows(nodes: NodeCluster, alone: RunningService, monitorPort: number): Promise<Row[]> {
  const mains = [nodes.node('a').service, nodes.node('b').service, alone].map(pidsOf)
  const cpuMs = () => mains.map((pids) => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0))
  await nodes.postgres.query('select pg_stat_statements_reset()')
  const [cpuBefore, natsBefore] = [cpuMs(), await natsTraffic(monitorPort)]
  const startedAt = performance.now()
  await sleep(SECONDS * 1000)
  const tookMs = performance.now() - startedAt
  const [cpuAfter, natsAfter] = [cpuMs(), await natsTraffic(monitorPort)]
  const [a, b, single] = cpuAfter.map((ms, n) => (ms - cpuBefore[n]!) / tookMs) as [number, number, number]
  const ofNode = (a + b) / 2 - single
  const statements = await statementsOf(nodes)
  const aSecond = (count: number) => (count / (tookMs / 1000)).toFixed(1)
  return [
    { what: 'idle: a service alone, CPU of main', value: `${percent(single)} of a core` },
    { what: 'idle: each of two nodes, CPU of main', value: `${percent(a)}, ${percent(b)} of a core` },
    {
      what: 'idle: what being a node costs',
      value: `${percent(ofNode)} of a core`,
      goal: 'under 1.0 %',
      isMet: ofNode < 0.01,
    },
    { what: 'idle: statements a second of a service alone', value: aSecond(statements.get('alone')!) },
    { what: 'idle: statements a second of a node', value: aSecond(statements.get('postgres')! / 2) },
    { what: 'idle: NATS messages a second of both', value: aSecond(natsAfter.messages - natsBefore.messages) },
  ]
}

/** A node is the service, and what starts it again when it was expelled. */
const pidsOf = ({ process: { pid } }: RunningService) => [pid!, ...childrenOf(pid!, ' serve')]

/** By database. */
async function statementsOf({ postgres }: NodeCluster): Promise<ReadonlyMap<string, number>> {
  const { rows } = await postgres.query(
    `select datname as name, sum(calls)::int as calls from pg_stat_statements
      join pg_database on pg_database.oid = dbid where query not like '%pg_stat_statements%' group by datname`,
  )
  return new Map(rows.map(({ name, calls }) => [String(name), Number(calls)]))
}
