import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../src/storage/database.ts'
import { migrate } from '../src/storage/migrate.ts'
import { createFakeNodes } from '../test/support/fake-nodes.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { percentile } from '../test/support/relay-latency.ts'
import { until } from '../test/support/until.ts'
import { ms, type Row } from './benchmark.ts'
import { type FakeNode, startFakeNode } from './fake-node.ts'

const NODES = 100
const PROCESSES = 1_000
const ROUNDS = 3
const DYING = 10
const LEASE_MS = 15_000
const RENEWALS_MS = 15_000
const MAX_PLACING_MS = 1_000
const MAX_RENEWAL_MS = 100

export async function placementRows(): Promise<Row[]> {
  const postgres = await startPostgres(['max_connections=500'], tmpdir())
  const database = openDatabase(postgres.url)
  const nodes: FakeNode[] = []
  try {
    await migrate(database.db)
    const taken = new Map<string, number>()
    for (let n = 0; n < NODES; n++) nodes.push(await startFakeNode(`node-${n}`, postgres.url, LEASE_MS, nodes, taken))
    return await measure({ ...database, url: postgres.url }, nodes, taken)
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
    await database.close()
    await postgres.remove()
  }
}

async function measure(
  database: Database & { readonly url: string },
  nodes: readonly FakeNode[],
  taken: Map<string, number>,
): Promise<Row[]> {
  // Before, nobody may place what never had a node.
  await sleep(LEASE_MS + 2_000)
  const add = await createAdding(database)
  const placings: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const added = await add()
    const startedAt = performance.now()
    nodes[round]!.wakePlacer()
    await until(async () => added.every((id) => taken.has(id)))
    placings.push(Math.max(...added.map((id) => taken.get(id)!)) - startedAt)
  }
  await sleep(RENEWALS_MS)
  const { moved, afterMs } = await endSome(database, nodes, taken)
  const renewals = nodes.flatMap((node) => node.renewals).sort((a, b) => a - b)
  const slowest = Math.max(...placings)
  const p99 = percentile(renewals, 0.99)
  return [
    {
      what: `${PROCESSES} processes that have no node are taken up by ${NODES}, ${ROUNDS} times`,
      value: placings.map(ms).join(', '),
      goal: `under ${ms(MAX_PLACING_MS)}`,
      isMet: slowest < MAX_PLACING_MS,
    },
    {
      what: `${DYING} of the nodes die: their ${moved} processes are taken up after the lease and`,
      value: ms(afterMs),
    },
    {
      what: `renewals of the leases of ${NODES} nodes (${renewals.length})`,
      value: `p50 ${ms(percentile(renewals, 0.5))}, p99 ${ms(p99)}`,
      goal: `p99 under ${ms(MAX_RENEWAL_MS)}`,
      isMet: p99 < MAX_RENEWAL_MS,
    },
  ]
}

/** So many processes at once, in one statement. */
async function createAdding(database: Database & { readonly url: string }) {
  const { db } = database
  const rows = await createFakeNodes(database)
  const template = await rows.addProcess(null, { state: 'stopped', stoppedAt: 1 })
  const row = await db.selectFrom('process').selectAll().where('id', '=', template).executeTakeFirstOrThrow()
  let rounds = 0
  return async (): Promise<string[]> => {
    rounds += 1
    const ids = Array.from({ length: PROCESSES }, (_, n) => `process-${rounds}-${n}`)
    const added = ids.map((id) => ({ ...row, id, state: 'running' as const, stopped_at: null }))
    await db.insertInto('process').values(added).execute()
    return ids
  }
}

/** They end as by a power cut; resolves when all of theirs is with others. */
async function endSome({ db }: Database, nodes: readonly FakeNode[], taken: Map<string, number>) {
  const dying = nodes.slice(-DYING)
  const ids = dying.map(({ id }) => id)
  await Promise.all(dying.map((node) => node.die()))
  const { lease_until: leaseUntil } = await db
    .selectFrom('node')
    .select((eb) => eb.fn.max('lease_until').as('lease_until'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  const leaseEndsAt = performance.now() + (leaseUntil - Date.now())
  const theirs = await db.selectFrom('process').select('id').where('node_id', 'in', ids).execute()
  for (const { id } of theirs) taken.delete(id)
  await until(async () => theirs.every(({ id }) => taken.has(id)), 60_000)
  return { moved: theirs.length, afterMs: Math.max(...theirs.map(({ id }) => taken.get(id)!)) - leaseEndsAt }
}
