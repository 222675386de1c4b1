import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { type ClusterNode } from '../core/node.ts'
import { createAloneRegistry, type NodeRegistry } from './node-registry.ts'
import { createNodeService, type NodeServiceDeps } from './nodes.service.ts'
import { NO_WORK, type NodeWorkCount, type PlacedProcessStore } from './placed-processes.store.ts'

const admin = anAccount({ id: 'm', username: 'admin', masterId: null })
const otherMaster = anAccount({ id: 'o', username: 'olga', masterId: null })
const child = anAccount({ id: 'c', username: 'child', masterId: 'm' })

const aNode = (id: string, change: Partial<ClusterNode> = {}): ClusterNode => ({
  id,
  epoch: 1,
  isAlive: true,
  isDraining: false,
  rtspUrl: 'rtsp://10.0.0.1:8554',
  labels: ['gpu'],
  load: { cores: 4, freeCores: 1.5, room: 3, processes: 2 },
  version: '1.2.3',
  schemaVersion: '1',
  startedAt: 0,
  ...change,
})

const work = (change: Partial<NodeWorkCount>): NodeWorkCount => ({ ...NO_WORK, ...change })

function setUp(nodes: readonly ClusterNode[], counts = new Map<string | null, NodeWorkCount>()) {
  const calls: unknown[][] = []
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const registry: NodeRegistry = {
    list: async () => [...byId.values()],
    listSilent: async () => ['silent'],
    async setDraining(id, isDraining) {
      const node = byId.get(id)
      if (node) byId.set(id, { ...node, isDraining })
      return node !== undefined
    },
    async forget(id) {
      return byId.get(id)?.isAlive === false && byId.delete(id)
    },
  }
  const placed: PlacedProcessStore = {
    count: async () => counts,
    async list(...args) {
      calls.push(args)
      return { items: [], nextCursor: undefined }
    },
  }
  const deps: NodeServiceDeps = { registry, placed, ownId: 'a', isAlone: false, countStreams: () => 7 }
  return { deps, calls, service: createNodeService(deps) }
}

test('a master sees each node, what it has to do, and what waits for one', async () => {
  const nodes = [
    aNode('a'),
    aNode('b', { isDraining: true, rtspUrl: null, load: null }),
    aNode('c', { load: { cores: 2, freeCores: -0.1, room: 0, processes: 9 } }),
    aNode('dead', { isAlive: false, isDraining: true }),
    aNode('silent', { isDraining: true }),
  ]
  const counts = new Map([
    ['a', work({ processes: 2, streams: 3 })],
    ['b', work({ processes: 4, files: 1, cameras: 2 })],
    [null, work({ processes: 1, cameras: 5, streams: 6 })],
  ])
  const report = await setUp(nodes, counts).service.list(otherMaster)
  expect(report).toMatchObject({
    answered_by: 'a',
    is_alone: false,
    may_change: false,
    unplaced: { processes: 1, cameras: 5 },
  })
  expect(report.nodes[0]).toEqual({
    node: 'a',
    state: 'alive',
    started_at: '1970-01-01T00:00:00.000Z',
    version: '1.2.3',
    labels: ['gpu'],
    load: { cores: 4, free_cores: 1.5, room: 3 },
    processes: 2,
    files: 0,
    cameras: 0,
    streams: 3,
    reached_by_rtsp: true,
  })
  expect(report.nodes.slice(1)).toMatchObject([
    { node: 'b', state: 'draining', load: null, processes: 4, files: 1, cameras: 2, reached_by_rtsp: false },
    { node: 'c', load: { cores: 2, free_cores: 0, room: 0 } },
    { node: 'dead', state: 'dead', processes: 0 },
    { node: 'silent', state: 'silent' },
  ])
  // The addresses of the operator's network are not for every master.
  expect(JSON.stringify(report)).not.toContain('10.0.0.1')
})

test('a service that is alone is its only node, with all that it does', async () => {
  const { deps } = setUp([], new Map([[null, work({ processes: 2, cameras: 1 })]]))
  const registry = createAloneRegistry({ id: 'here', version: '1', startedAt: 0, load: () => null })
  const service = createNodeService({ ...deps, registry, ownId: 'here', isAlone: true })
  expect(await service.list(admin)).toMatchObject({
    answered_by: 'here',
    is_alone: true,
    may_change: true,
    nodes: [{ node: 'here', state: 'alive', processes: 2, cameras: 1, streams: 7, load: null }],
    unplaced: { processes: 0, cameras: 0 },
  })
  await expect(service.setDraining(admin, 'here', true)).rejects.toMatchObject({ code: 'node-alone' })
  await expect(service.forget(admin, 'here')).rejects.toMatchObject({ code: 'node-alive' })
  await expect(service.forget(admin, 'there')).rejects.toMatchObject({ code: 'node-not-found' })
})

test('children see nothing of it, and only the operator changes it', async () => {
  const { service } = setUp([aNode('a', { isAlive: false })])
  const code = (of: Promise<unknown>) =>
    of.then(
      () => 'none',
      (error: { code: string }) => error.code,
    )
  expect(await code(service.list(child))).toBe('master-key-required')
  expect(await code(service.listProcesses(child, 'a', { limit: 1 }))).toBe('master-key-required')
  for (const account of [child, otherMaster]) {
    expect(await code(service.setDraining(account, 'a', true))).toBe('operator-key-required')
    expect(await code(service.forget(account, 'a'))).toBe('operator-key-required')
  }
})

test('draining is set and undone', async () => {
  const { service } = setUp([aNode('a'), aNode('b')])
  expect(await service.setDraining(admin, 'b', true)).toMatchObject({ node: 'b', state: 'draining' })
  expect(await service.setDraining(admin, 'b', false)).toMatchObject({ node: 'b', state: 'alive' })
  await expect(service.setDraining(admin, 'd', true)).rejects.toThrow('There is no node d; there are: a, b.')
})

test('a dead node is forgotten, and no other', async () => {
  const { service } = setUp([aNode('a'), aNode('dead', { isAlive: false }), aNode('silent')])
  await service.forget(admin, 'dead')
  await expect(service.forget(admin, 'dead')).rejects.toThrow('There is no node dead; there are: a, silent.')
  await expect(service.forget(admin, 'a')).rejects.toMatchObject({ code: 'node-alive' })
  await expect(service.forget(admin, 'silent')).rejects.toMatchObject({ code: 'node-silent' })
})

test('processes are those of the caller’s family on that node', async () => {
  const { service, deps, calls } = setUp([aNode('a')])
  await service.listProcesses(otherMaster, 'a', { limit: 5 })
  await createNodeService({ ...deps, isAlone: true }).listProcesses(admin, 'a', { limit: 6 })
  expect(calls).toEqual([
    ['a', 'o', { limit: 5 }],
    [null, 'm', { limit: 6 }],
  ])
  await expect(service.listProcesses(admin, 'x', { limit: 5 })).rejects.toMatchObject({ code: 'node-not-found' })
})

test('of many names some are named', async () => {
  const many = Array.from({ length: 30 }, (_, n) => aNode(`n${n}`))
  await expect(setUp(many).service.setDraining(admin, 'x', true)).rejects.toThrow(/n19, …\.$/)
})
