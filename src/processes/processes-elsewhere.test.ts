import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { aHealth, aProcess, aScene, aStats } from '../../test/builders/process.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createTestExchanges, type TestExchanges } from '../../test/support/exchanges.ts'
import { until } from '../../test/support/until.ts'
import { type Account } from '../core/account.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { createDetectionChannel } from './detection-channel.ts'
import { createProcessesElsewhere } from './processes-elsewhere.ts'
import { createProcessStore } from './processes.store.ts'
import { toProcessInfo } from './processes.schema.ts'

type TestNode = Awaited<ReturnType<typeof startNode>>

let database: TestDatabase
let account: Account
let exchanges: TestExchanges
let a: TestNode
let b: TestNode
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
  exchanges = await createTestExchanges()
  a = await startNode('a')
  b = await startNode('b')
  await exchanges.settle()
})
afterEach(async () => {
  for (const { elsewhere } of [a, b]) await elsewhere.close()
  await exchanges.remove()
  await database.remove()
})

/** A node with one process, as it is in the database, and with figures that are only here. */
async function startNode(id: string) {
  const node = { id, epoch: 1 }
  const process = aProcess({ accountId: account.id, state: 'running' })
  expect(await createProcessStore(database.db, node).insertWithinLimits(account, process)).toBe('inserted')
  const here = { ...process, stats: aStats({ processedFps: 12 }) }
  const channel = createDetectionChannel()
  const elsewhere = createProcessesElsewhere({
    db: database.db,
    node,
    exchange: await exchanges.join(id),
    channel,
    processes: { stopAll: async () => [process.id] },
    describe: async (one) => toProcessInfo(one, [], null, { health: aHealth(), sourceAlias: null }),
    findLive: (processId) => (processId === process.id ? { process: here } : undefined),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
  })
  elsewhere.start()
  return { process, channel, elsewhere }
}

test('over NATS, a node shows, hears and stops what runs on another', async () => {
  const described = await a.elsewhere.describeAll([a.process, b.process])
  expect(described.map(({ stats }) => stats.processed_fps)).toEqual([0, 12])

  const heard: string[] = []
  a.channel.listen(b.process.id, {
    take: (message) => heard.push((JSON.parse(message) as { process_uuid: string }).process_uuid),
    end: ({ state }) => heard.push(state),
    moved: () => heard.push('moved'),
  })
  await until(async () => b.channel.countClients(b.process.id) === 1)
  b.channel.onScene(b.process, aScene())
  b.channel.onEnd({ ...b.process, state: 'finished' })
  await until(async () => heard.length === 2)
  expect(heard).toEqual([b.process.id, 'finished'])

  expect(await a.elsewhere.stopAll(account)).toEqual([a.process.id, b.process.id])
})

test('without NATS the rows are shown at once, and what is elsewhere is not said to be stopped', async () => {
  await exchanges.nats.kill()
  const startedAt = performance.now()
  const described = await a.elsewhere.describeAll([b.process])
  expect(performance.now() - startedAt).toBeLessThan(1_500)
  expect(described).toMatchObject([{ state: 'running', problem: expect.stringContaining('The node b') }])
  await expect(a.elsewhere.stopAll(account)).rejects.toMatchObject({ code: 'node-unreachable' })
})
