import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { createNodeCluster } from '../test/support/node-cluster.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark } from './benchmark.ts'
import { commandRows, exchangeRows } from './cluster-commands.ts'
import { idleRows } from './cluster-idle.ts'
import { placementRows } from './cluster-placement.ts'
import { relayRows } from './cluster-relay.ts'

/** Until what a start brings with it is over. */
const SETTLE_MS = 25_000

export const cluster: Benchmark = {
  name: 'cluster',
  title: 'Several nodes',
  about: `Two real nodes with PostgreSQL and nats-server on this machine. First they have nothing to do, for a minute, beside a service alone on the same PostgreSQL: what being a node costs is the difference. Then a stream of 720p that comes to one is read at both: what the relay adds is how much later the same frame came by it. Then a process of the one is asked after, paused and resumed at each of them in turn. At last a hundred nodes that run nothing, with connections, leases, placers and looks as real ones have them, in one process, on a PostgreSQL of their own on the disk.`,
  async run() {
    return [...(await realNodes()), ...(await exchangeRows()), ...(await placementRows())]
  },
}

async function realNodes() {
  const monitor = await freePort()
  const quiet = { AERIE_LOG_LEVEL: 'warn' }
  const nodes = await createNodeCluster(
    ['a', 'b'],
    { ...quiet, AERIE_NODE_LEASE: '15' },
    {
      nats: [`http: "127.0.0.1:${monitor}"`],
      postgres: ['shared_preload_libraries=pg_stat_statements'],
    },
  )
  const installation = createInstallation()
  try {
    await nodes.postgres.query('create extension pg_stat_statements')
    await nodes.postgres.query('create database alone')
    const databaseUrl = nodes.postgres.url.replace(/postgres$/, 'alone')
    const alone = await installation.start({ ...quiet, AERIE_DATABASE_URL: databaseUrl })
    await sleep(SETTLE_MS)
    const idle = await idleRows(nodes, alone, monitor)
    await alone.stop()
    return [...idle, ...(await relayRows(nodes)), ...(await commandRows(nodes))]
  } finally {
    await installation.remove()
    await nodes.remove()
  }
}
