import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createClusterRig } from '../../test/support/cluster-rig.ts'
import { createTestDatabase } from '../../test/support/databases.ts'
import { createLog } from '../observe/log.ts'
import { latestSchemaVersion, schemaVersionOf } from '../storage/migrate.ts'
import { type NodeConnection } from './node-connections.store.ts'
import { createUpgradeTurnStore } from './upgrade-turn.store.ts'
import { migrateInTurn, type OlderNode, type UpgradeTurnDeps } from './upgrade-turn.ts'

const LEASE = 15_000

const isDone = async (migrated: Promise<void>) =>
  Promise.race([migrated.then(() => true), new Promise((resolve) => setImmediate(resolve, false))])

/** `stuck`: what cannot be ended. */
function rig(older: OlderNode[], { stuck = [] as NodeConnection[], areTablesOlder = true } = {}) {
  const clock = createFakeClock(0)
  const done: string[] = []
  const lines: string[] = []
  let isLocked = false
  const store: UpgradeTurnDeps['store'] = {
    async whileNobodyJoins(run) {
      isLocked = true
      return run().finally(() => (isLocked = false))
    },
    listOlder: async () => ({ nodes: [...older], areTablesOlder, nowMs: clock.steady() }),
    expel: async (ids) => void (done.push(`expel ${ids.join(' ')}`), older.splice(0)),
    listStale: async () => [...stuck],
    async endConnections() {
      throw new Error('permission denied to terminate process')
    },
    migrate: async () => void done.push(isLocked ? 'migrate' : 'migrate without a lock'),
  }
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) })
  const migrated = migrateInTurn({ store, leaseMs: LEASE, clock, log })
  const pass = async (ms: number) => {
    for (let past = 0; past < ms; past += 1_000) await clock.advance(1_000)
  }
  return { done, lines, migrated, pass, isLocked: () => isLocked }
}

test('where no older node runs, the tables are upgraded at once', async () => {
  const { done, migrated, lines } = rig([])
  await migrated
  expect(done).toEqual(['migrate'])
  expect(lines).toEqual([])
})

test('it waits for those that run, and says once for whom', async () => {
  const older = [{ id: 'a', version: '1.0.0', leaseUntilMs: 1e9 }]
  const { done, lines, migrated, pass } = rig(older)
  await pass(60_000)
  expect(done).toEqual([])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('older version still run, and do not know the tables of this one: a (1.0.0). Stop them')
  older.splice(0)
  await pass(1_000)
  await migrated
  expect(done).toEqual(['migrate'])
})

test('one whose lease has ended is expelled after the database has answered for a whole lease', async () => {
  const { done, migrated, pass } = rig([{ id: 'a', version: '1.0.0', leaseUntilMs: 0 }])
  await pass(LEASE - 1_000)
  expect(done).toEqual([])
  await pass(2_000)
  await migrated
  expect(done).toEqual(['expel a', 'migrate'])
})

test('where a connection of one that is gone cannot be ended, it says so once by its name, and others can join meanwhile', async () => {
  const stuck = [{ pid: 77, name: 'aerie node a 3' }]
  const { done, lines, migrated, pass, isLocked } = rig([{ id: 'a', version: '1.0.0', leaseUntilMs: 0 }], { stuck })
  await pass(60_000)
  expect([done, isLocked(), await isDone(migrated)]).toEqual([['expel a'], false, false])
  const [line, ...more] = lines.filter((one) => one.includes('cannot be ended'))
  expect(more).toEqual([])
  expect(line).toContain('aerie node a 3 (pid 77)')
  expect(line).toContain('permission denied to terminate process')
  stuck.splice(0)
  await pass(1_000)
  await migrated
  expect(done).toEqual(['expel a', 'migrate'])
})

test('where the tables are the same, nobody waits for such a connection', async () => {
  const { migrated, lines } = rig([], { stuck: [{ pid: 77, name: 'aerie node a 3' }], areTablesOlder: false })
  await migrated
  expect(lines).toEqual([])
})

test('on PostgreSQL an older node keeps a newer one from upgrading; what it had connected is ended when it is gone', async () => {
  const one = await createClusterRig()
  const epoch = await one.join('old', { schemaVersion: '0001-accounts' })
  await one.join('new')
  const store = createUpgradeTurnStore(one.db)
  const { nodes, areTablesOlder, nowMs } = await store.listOlder()
  expect(areTablesOlder).toBe(false)
  expect(nodes).toMatchObject([{ id: 'old', version: '1.0.0' }])
  expect(nodes[0]!.leaseUntilMs).toBeGreaterThan(nowMs)

  const old = one.connect('old', epoch)
  await sql`select 1`.execute(old.db)
  // Whoever would join waits until this is over.
  const order: string[] = []
  let joining: Promise<unknown> | undefined
  await store.whileNobodyJoins(async () => {
    joining = one.join('late').then(() => order.push('joined'))
    await store.expel(['old'])
    expect(await store.listStale()).toMatchObject([{ name: `aerie node old ${epoch}` }])
    await store.endConnections(await store.listStale())
    expect(await store.listStale()).toEqual([])
    await store.migrate()
    order.push('migrated')
  })
  await joining
  expect(order).toEqual(['migrated', 'joined'])
  expect((await store.listOlder()).nodes).toEqual([])
  await expect(sql`select 1`.execute(old.db)).rejects.toThrow()
  await one.close()
})

test('a new database has no nodes yet, and is made', async () => {
  const database = await createTestDatabase('postgres')
  const store = createUpgradeTurnStore(database.db)
  await migrateInTurn({ store, leaseMs: LEASE, clock: createFakeClock(), log: createLog({ level: 'silent' }) })
  expect(await schemaVersionOf(database.db)).toBe(latestSchemaVersion)
  await database.remove()
})
