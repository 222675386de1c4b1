import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'

let cluster: NodeCluster
beforeAll(async () => void (cluster = await createNodeCluster(['a', 'b'])))
afterAll(() => cluster.remove())

test('a stream that comes to one node is processed there, and asked for at the other', async () => {
  const { sourceId } = await cluster.goLive('a', 'one')
  const [a, b] = [cluster.node('a'), cluster.node('b')]
  const started = await b.ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  expect(await cluster.nodeOf(started.process_uuid)).toBe('a')
  expect([a.workers().length, b.workers().length]).toEqual([1, 0])
  const socket = await b.connect(started)
  expect((await socket.more(10)).length).toBeGreaterThanOrEqual(10)
  expect(await cluster.info('b', started.process_uuid)).toMatchObject({ state: 'running' })
  expect(await b.ask('POST', `/process/${started.process_uuid}/stop`)).toMatchObject({
    stopped: [started.process_uuid],
  })
  expect(a.workers()).toEqual([])
})
