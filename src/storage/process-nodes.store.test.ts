import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { aProcess } from '../../test/builders/process.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { type Process } from '../processes/process.ts'
import { createProcessNodesStore, type ProcessNodesStore } from './process-nodes.store.ts'
import { createProcessStore } from '../processes/processes.store.ts'

describe.each(dialects)('where processes are, on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: ProcessNodesStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
    store = createProcessNodesStore(database.db, { id: 'a', epoch: 1 })
  })
  afterEach(() => database.remove())

  async function add(nodeId: string | null, change: Partial<Process> = {}): Promise<Process> {
    const process = aProcess({ accountId: account.id, state: 'running', ...change })
    const generous = { ...account, limits: { ...account.limits, maxProcesses: 100 } }
    const own = createProcessStore(database.db, nodeId === null ? null : { id: nodeId, epoch: 1 })
    expect(await own.insertWithinLimits(generous, process)).toBe('inserted')
    return process
  }

  test('those of other nodes, and of none, are elsewhere as long as they go on', async () => {
    const own = await add('a')
    const other = await add('b')
    const nobodys = await add(null, { state: 'waiting' })
    const ended = await add('b', { state: 'stopped' })
    const elsewhere = [
      { processId: other.id, sourceId: other.sourceId, state: 'running', nodeId: 'b' },
      { processId: nobodys.id, sourceId: nobodys.sourceId, state: 'waiting', nodeId: null },
    ]
    expect(await store.listElsewhere(account.id)).toEqual(elsewhere)
    expect(await store.listElsewhere('somebody')).toEqual([])
    expect(await store.findElsewhere([other.id, own.id, ended.id])).toEqual(elsewhere.slice(0, 1))
  })

  test('who uses a source elsewhere is found as long as it goes on', async () => {
    const sourceId = 'shared'
    const [other, nobodys] = [await add('b', { sourceId }), await add(null, { sourceId })]
    await add('a', { sourceId })
    await add('b', { sourceId, state: 'finished' })
    await add('b', { sourceId: 'another' })
    const users = await store.listUsersOf([...tooManyToBind(), sourceId])
    expect(users.map(({ processId }) => processId)).toEqual([other.id, nobodys.id])
  })

  test('what has ended is found with its state, and what is forgotten without', async () => {
    const [running, ended] = [await add('b'), await add('b', { state: 'failed' })]
    const forgotten = aProcess().id
    expect(await store.findEnded([running.id, ended.id, forgotten])).toEqual([
      { processId: ended.id, state: 'failed' },
      { processId: forgotten, state: undefined },
    ])
  })

  test('any number may be asked for', async () => {
    const process = await add('b')
    const ids = [...tooManyToBind(), process.id]
    expect(await store.findElsewhere(ids)).toHaveLength(1)
    expect(await store.findEnded(ids)).toHaveLength(ids.length - 1)
  })
})
