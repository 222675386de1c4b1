import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { notifiedTracks } from '../support/notified-tracks.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
let receiver: HttpReceiver
beforeAll(async () => void (cluster = await createNodeCluster(['a', 'b', 'c'])))
afterAll(() => cluster.remove())
beforeEach(async () => void (receiver = await createHttpReceiver()))
afterEach(() => receiver.close())

const names = ['a', 'b', 'c']
const ids = () => notifiedTracks(receiver, '/tracks')

/** A process at the node where its video comes in, and where its new tracks are notified. */
async function runAt(node: string, name: string): Promise<string> {
  const { sourceId } = await cluster.goLive(node, name)
  const at = cluster.node(node)
  const { process_uuid: id } = await at.ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  expect(await cluster.nodeOf(id)).toBe(node)
  const body = { event_type: 'new-tracks', notification_url: `http://127.0.0.1:${receiver.port}/tracks` }
  await at.ask('POST', `/subscribe/${id}`, { body })
  await until(async () => ids().length > 3)
  return id
}

/** It goes on at another node, and each of its tracks was notified once. */
async function expectToGoOn(id: string, left: string, path: string): Promise<void> {
  const [other] = names.filter((name) => name !== left)
  // Its camera connects again, wherever it is let in.
  cluster.publish(other!, path)
  const before = ids().length
  await cluster.untilState(other!, id, 'running')
  expect(await cluster.nodeOf(id)).not.toBe(left)
  await until(async () => ids().length > before + 3)
  expect(ids()).toHaveLength(new Set(ids()).size)
}

test('what a node ran that is killed goes on elsewhere, under its id, and is given back to nobody', async () => {
  const id = await runAt('c', 'killed')
  const killedAt = performance.now()
  await cluster.node('c').kill()
  await until(async () => (await cluster.nodeOf(id)) !== 'c')
  expect(performance.now() - killedAt).toBeLessThan(cluster.leaseMs + 2_000)
  await expectToGoOn(id, 'c', 'admin/killed')
  const at = await cluster.nodeOf(id)
  await cluster.node('c').start()
  expect(await cluster.info('c', id)).toMatchObject({ state: 'running', process_uuid: id })
  expect(await cluster.nodeOf(id)).toBe(at)
  await cluster.node('c').ask('POST', `/process/${id}/stop`)
})

test('what a node ran that stops in order goes on elsewhere at once', async () => {
  const id = await runAt('b', 'stopped')
  const stoppedAt = performance.now()
  await cluster.node('b').stop()
  const goneAt = performance.now()
  await until(async () => (await cluster.nodeOf(id)) !== 'b')
  expect(performance.now() - goneAt, `it took ${goneAt - stoppedAt} ms to stop`).toBeLessThan(3_000)
  await expectToGoOn(id, 'b', 'admin/stopped')
  await cluster.node('b').start()
  await cluster.node('b').ask('POST', `/process/${id}/stop`)
})

test('a node that stands still for longer than its lease does nothing twice when it goes on, and joins anew', async () => {
  const id = await runAt('a', 'frozen')
  const frozen = cluster.node('a')
  frozen.signal('SIGSTOP')
  await until(async () => (await cluster.nodeOf(id)) !== 'a')
  await expectToGoOn(id, 'a', 'admin/frozen')
  frozen.signal('SIGCONT')
  await until(async () => /joins anew/.test(frozen.service.stderr()))
  const before = ids().length
  await until(async () => (await cluster.info('a', id).catch(() => undefined))?.state === 'running')
  await until(async () => ids().length > before + 3)
  expect(ids()).toHaveLength(new Set(ids()).size)
  await cluster.node('b').ask('POST', `/process/${id}/stop`)
})
