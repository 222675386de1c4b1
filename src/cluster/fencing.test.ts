import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeferred } from '../core/deferred.ts'
import { NodeExpelled } from '../core/node.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { createClusterRig, type ClusterRig } from '../../test/support/cluster-rig.ts'
import { until } from '../../test/support/until.ts'

let rig: ClusterRig
beforeEach(async () => void (rig = await createClusterRig()))
afterEach(() => rig.close())

const write = (db: Queryable, name: string) => db.insertInto('service_secret').values({ name, value: 'x' }).execute()
const written = async () => (await rig.db.selectFrom('service_secret').select('name').execute()).map(({ name }) => name)
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** A transaction that has written something and is then left open. */
async function openTransaction(db: Db) {
  const goOn = createDeferred()
  const isOpen = createDeferred()
  const ended = db.transaction().execute(async (tx) => {
    await write(tx, 'in a transaction')
    isOpen.resolve()
    await goOn.promise
  })
  const failure = failureOf(ended)
  await isOpen.promise
  return { commit: () => (goOn.resolve(), failure) }
}

test('a node that was declared dead commits nothing any more, not even what it had begun', async () => {
  const [epoch] = [await rig.join('a'), await rig.join('b')]
  const own = rig.connect('a', epoch)
  await write(own.db, 'as a node')
  const processId = await rig.addProcess({ id: 'a', epoch })
  const frozen = await openTransaction(own.db)

  await rig.endLease('a')
  expect(await rig.place('b')).toEqual(['b'])
  expect(await rig.ownerOf('process', processId)).toBe('b')

  // It thaws, and knows of nothing.
  expect(await frozen.commit()).toBeInstanceOf(Error)
  await until(async () => (await failureOf(write(own.db, 'after it'))) instanceof NodeExpelled)
  expect(await failureOf(write(own.db, 'and again'))).toBeInstanceOf(NodeExpelled)
  expect(own.refusals).toHaveLength(1)
  expect(await written()).toEqual(['as a node'])
})

test('of two epochs of one node only the later one writes', async () => {
  const first = rig.connect('a', await rig.join('a'))
  await write(first.db, 'first')
  const second = rig.connect('a', await rig.join('a'))
  // As it does when it joins.
  expect(await rig.nodes.endStaleConnections()).toBe(1)
  await until(async () => (await rig.nodes.endStaleConnections()) === 0)
  await write(second.db, 'second')
  await until(async () => (await failureOf(write(first.db, 'late'))) instanceof NodeExpelled)
  expect(await written()).toEqual(['first', 'second'])
  expect(second.refusals).toEqual([])
})

test('whoever asks nothing finds out all the same, from its connection that ends', async () => {
  const epoch = await rig.join('a')
  await rig.join('b')
  const own = rig.connect('a', epoch)
  await sql`select 1`.execute(own.db)
  await rig.endLease('a')
  await rig.place('b')
  await until(async () => own.refusals.length === 1)
})

test('a connection that ends for another reason comes back', async () => {
  const own = rig.connect('a', await rig.join('a'))
  const failure = await failureOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(own.db))
  expect(isDatabaseAway(failure)).toBe(true)
  await until(async () => (await failureOf(write(own.db, 'later'))) === undefined)
  expect(own.refusals).toEqual([])
})

test('nothing is given away while a connection cannot be ended', async () => {
  const epoch = await rig.join('a')
  await rig.join('b')
  const own = rig.connect('a', epoch)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own.db)
  const processId = await rig.addProcess({ id: 'a', epoch })
  await rig.endLease('a')
  const { pid } = rows[0]!
  process.kill(pid, 'SIGSTOP')
  try {
    expect(await rig.place('b')).toEqual([])
    expect(await rig.ownerOf('process', processId)).toBeNull()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(await rig.place('b')).toEqual(['b'])
  expect(await rig.ownerOf('process', processId)).toBe('b')
})

test('nodes are connected by names that tell them apart, however long', async () => {
  const ids = [`${'n'.repeat(62)}1`, `${'n'.repeat(62)}2`]
  const epochs = [await rig.join(ids[0]!), await rig.join(ids[1]!)]
  const [one, other] = ids.map((id, n) => rig.connect(id, epochs[n]!))
  await write(one!.db, 'one')
  await write(other!.db, 'other')
  await rig.endLease(ids[0]!)
  await rig.place(ids[1]!)
  expect(await failureOf(write(one!.db, 'late'))).toBeInstanceOf(Error)
  await write(other!.db, 'still')
  expect(await written()).toEqual(['one', 'other', 'still'])
})

test('without an admission nothing is asked, and nothing is named', async () => {
  const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(rig.db)
  expect(rows).toEqual([{ name: '' }])
})
