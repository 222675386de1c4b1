import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { aProcess } from '../../test/builders/process.ts'
import { aSource } from '../../test/builders/source.ts'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Process } from '../processes/process.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type Output } from './output.ts'
import { createOutputStore, type OutputStore } from './outputs.store.ts'

describe.each(dialects)('outputs on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: OutputStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
    account = { ...account, limits: { ...account.limits, maxOutputs: 20, maxAttachedOutputs: 3, maxProcesses: 20 } }
    store = createOutputStore(database.db)
  })
  afterEach(() => database.remove())

  const anOutput = (change: Partial<Output> = {}): Output => {
    const id = orderedUuid()
    return {
      id,
      accountId: account.id,
      alias: 'gate',
      type: 'rtsp',
      url: `rtsp://${id}`,
      mediaPath: `admin/${id}`,
      settings: null,
      processId: null,
      createdAt: 1,
      ...change,
    }
  }
  const add = async (change: Partial<Output> = {}) => {
    const output = anOutput(change)
    expect(await store.insertWithinLimit(account, output)).toEqual({ output, isNew: true })
    return output
  }
  const addProcess = async (state: Process['state'] = 'running') => {
    const process = aProcess({ accountId: account.id, state })
    expect(await createProcessStore(database.db).insertWithinLimits(account, process)).toBe('inserted')
    return process.id
  }
  const attach = (outputId: string, processId: string) => store.attachWithinLimit(account, outputId, processId)

  test('of those that share a path the one that is attached is found, else the oldest', async () => {
    const shared = { url: 'rtsp://yard', mediaPath: 'admin/yard' }
    const [first, second] = [await add(shared), await add({ ...shared, settings: '720p' })]
    expect(await store.findAtPath('admin/yard')).toMatchObject({ id: first.id })
    expect(await attach(second.id, await addProcess())).toBe('attached')
    expect(await store.findAtPath('admin/yard')).toMatchObject({ id: second.id })
    expect(await store.findAtPath('admin/gate')).toBeUndefined()
  })

  test('what is stored comes back whole; the same one again is found; what is another’s is not', async () => {
    const output = await add({ settings: '720p' })
    expect(await store.find(account.id, output.id)).toEqual(output)
    const again = anOutput({ url: output.url, mediaPath: output.mediaPath, settings: '720p' })
    expect(await store.insertWithinLimit(account, again)).toEqual({ output, isNew: false })
    expect(await store.find('somebody', output.id)).toBeUndefined()
  })

  test('an output and a source that come to one path at once do not both get in', async () => {
    const { account: child } = await addAccount(database, { username: 'child' })
    const sources = createSourceStore(database.db)
    for (let i = 0; i < 10; i++) {
      // A master may register what its child publishes.
      const [owner, registrant] = i % 2 === 0 ? [account, account] : [child, account]
      const mediaPath = `${owner.username}/${i}`
      const source = aSource({ accountId: registrant.id, mediaPath, fingerprint: mediaPath })
      const outcomes = await Promise.all([
        store.insertWithinLimit(owner, anOutput({ accountId: owner.id, mediaPath })),
        sources.insertWithinLimits(registrant, source),
      ])
      expect(outcomes.filter((outcome) => outcome === 'path-in-use')).toHaveLength(1)
    }
  })

  test('many at once never overrun the limit of outputs', async () => {
    const limited = { ...account, limits: { ...account.limits, maxOutputs: 4 } }
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.insertWithinLimit(limited, anOutput())))
    expect(outcomes.filter((outcome) => outcome === 'output-limit-reached')).toHaveLength(16)
  })

  test('many at once never overrun the limit of one process', async () => {
    const processId = await addProcess()
    const outputs = await Promise.all(Array.from({ length: 8 }, () => add()))
    const outcomes = await Promise.all(outputs.map(({ id }) => attach(id, processId)))
    expect(outcomes.filter((outcome) => outcome === 'attached')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'attached-output-limit-reached')).toHaveLength(5)
    expect(await store.listAttached([processId])).toHaveLength(3)
  })

  test('what is attached to several processes is listed together, each with its process', async () => {
    const [one, two, other] = [await addProcess(), await addProcess(), await addProcess()]
    const outputs = await Promise.all([one, two, two, other].map(() => add()))
    for (const [index, processId] of [one, two, two, other].entries()) await attach(outputs[index]!.id, processId)
    const listed = await store.listAttached([one, two])
    expect(listed.map(({ processId }) => processId).sort()).toEqual([one, two, two].sort())
    expect(await store.listAttached([])).toEqual([])
  })

  test('an output is at one process at a time', async () => {
    const [one, other] = [await addProcess(), await addProcess()]
    const { id } = await add()
    const outcomes = await Promise.all([one, other].map((processId) => attach(id, processId)))
    expect(outcomes.sort()).toEqual(['attached', 'output-attached'])
    const { processId } = (await store.findById(id))!
    expect(await attach(id, processId!)).toBe('had-already')
  })

  test('of two outputs with one path only one is attached', async () => {
    const processId = await addProcess()
    const large = await add({ url: 'rtsp://yard', mediaPath: 'admin/yard' })
    const small = await add({ url: 'rtsp://yard', mediaPath: 'admin/yard', settings: '360p' })
    const outcomes = await Promise.all([large, small].map(({ id }) => attach(id, processId)))
    expect(outcomes.sort()).toEqual(['attached', 'path-in-use'])
    await store.detachAll(processId)
    expect(await attach(small.id, processId)).toBe('attached')
  })

  test('outputs without a path never stand in each other’s way', async () => {
    const processId = await addProcess()
    for (const settings of [null, '360p'] as const) {
      const { id } = await add({ type: 'rtmp', url: 'rtmp://host/app/name', mediaPath: null, settings })
      expect(await attach(id, processId)).toBe('attached')
    }
  })

  test.each(['stopping', 'stopped', 'finished', 'failed'] as const)('a %s process takes no output', async (state) => {
    const { id } = await add()
    expect(await attach(id, await addProcess(state))).toBe('process-not-live')
    expect((await store.findById(id))!.processId).toBeNull()
  })

  test('what is not there is neither attached nor removed', async () => {
    expect(await attach('nothing', await addProcess())).toBe('output-not-found')
    expect(await store.removeUnattached(account.id, 'nothing')).toBe(false)
  })

  test('an output is removed by its owner, and only while no process has it', async () => {
    const processId = await addProcess()
    const { id } = await add()
    await attach(id, processId)
    expect(await store.removeUnattached(account.id, id)).toBe(false)
    await store.detach(id, processId)
    expect(await store.removeUnattached('somebody', id)).toBe(false)
    expect(await store.removeUnattached(account.id, id)).toBe(true)
    expect(await store.findById(id)).toBeUndefined()
  })

  test('removed and attached at once, one of the two wins', async () => {
    const processId = await addProcess()
    const { id } = await add()
    const [isRemoved, outcome] = await Promise.all([store.removeUnattached(account.id, id), attach(id, processId)])
    expect(outcome).toBe(isRemoved ? 'output-not-found' : 'attached')
  })

  test('only the process that has it lets go of it', async () => {
    const [one, other] = [await addProcess(), await addProcess()]
    const { id } = await add()
    await attach(id, one)
    await store.detach(id, other)
    expect((await store.findById(id))!.processId).toBe(one)
    await store.detachAllBut('all', [...tooManyToBind(), one])
    expect((await store.findById(id))!.processId).toBe(one)
    await store.detachAllBut('all', [])
    expect((await store.findById(id))!.processId).toBeNull()
  })

  test('of some processes those that are no more let go, and no others', async () => {
    const [gone, live, other] = [await addProcess(), await addProcess(), await addProcess()]
    const outputs = [await add(), await add(), await add()]
    for (const [index, processId] of [gone, live, other].entries()) await attach(outputs[index]!.id, processId)
    await store.detachAllBut([...tooManyToBind(), gone, live], [live])
    const found = await Promise.all(outputs.map(({ id }) => store.findById(id)))
    expect(found.map((output) => output!.processId)).toEqual([null, live, other])
  })

  test('lists are newest first, page by page', async () => {
    const made = [await add(), await add(), await add()]
    const first = await store.list(account.id, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual([made[2]!.id, made[1]!.id])
    const rest = await store.list(account.id, { limit: 2, cursor: first.nextCursor! })
    expect(rest.items.map(({ id }) => id)).toEqual([made[0]!.id])
    await store.removeAllOf(account.id)
    expect((await store.list(account.id, { limit: 2 })).items).toEqual([])
  })
})
