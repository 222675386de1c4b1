/** Nodes that reach the database and NATS, and not each other. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { basic, startReader } from '../support/rtsp-roles.ts'
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
/** What is between the RTSP servers, for nodes: publishers and viewers are on either side of it. */
const walls: Record<string, TcpRelay> = {}

beforeAll(async () => {
  cluster = await createNodeCluster([])
  for (const name of ['a', 'b']) {
    const port = await freePort()
    const wall = (walls[name] = await startTcpRelay(port))
    const rtsp = { AERIE_RTSP_PORT: String(port), AERIE_NODE_RTSP_URL: `rtsp://127.0.0.1:${wall.port}` }
    await cluster.add(name, rtsp)
  }
})
afterAll(async () => {
  await cluster.remove()
  for (const wall of Object.values(walls)) await wall.close()
})

const nodeRows = async () => (await cluster.postgres.query('select id, epoch, is_alive from node order by id')).rows

/** Frames that come to somebody who begins to read now. */
async function readAt(node: string, path: string, frames: number): Promise<void> {
  const port = Number(cluster.node(node).service.ready['rtsp_port'])
  const { client } = await startReader(port, path, basic('admin', cluster.masterKey))
  await client.frames(frames)
  client.close()
}

test('where one cannot be dialled by RTSP, its streams are pushed; nothing moves or restarts', async () => {
  const { sourceId } = await cluster.goLive('a', 'cut')
  const { process_uuid: id } = await cluster.node('b').ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  await cluster.untilState('b', id, 'running')
  await readAt('b', 'admin/cut', 20)
  const before = await nodeRows()
  const place = await cluster.nodeOf(id)
  const socket = await cluster.node('b').connect({ process_uuid: id })
  await walls['a']!.cut()
  await readAt('b', 'admin/cut', 20)
  await socket.more(5)
  // Longer than what a node that is dead is given.
  await new Promise((resolve) => setTimeout(resolve, cluster.leaseMs + 2_000))
  expect(await nodeRows()).toEqual(before)
  expect(await cluster.nodeOf(id)).toBe(place)
  expect(await cluster.info('b', id)).toMatchObject({ state: 'running', restarts: 0 })
  await socket.more(5)
  socket.close()
})

test('where neither can dial the other, a stream is seen only where it comes in, and a viewer elsewhere is answered', async () => {
  await walls['b']!.cut()
  await readAt('a', 'admin/cut', 20)
  await expect(readAt('b', 'admin/cut', 1)).rejects.toThrow(/Expected 200, got \d+/)
  await walls['a']!.mend()
  await walls['b']!.mend()
  // A node that could not be dialled is tried again after a minute; until then the other one pushes.
  await until(() => readAt('b', 'admin/cut', 20).then(() => true, () => false)) // prettier-ignore
})

test('without NATS what is asked of another node is refused, and processes stay where they are', async () => {
  const [process] = await cluster.node('a').ask<{ process_uuid: string }[]>('GET', '/processes')
  const id = process!.process_uuid
  const place = await cluster.nodeOf(id)
  const other = place === 'a' ? 'b' : 'a'
  const before = await nodeRows()
  await cluster.nats.kill()
  const statuses = await Promise.all(
    ['GET', 'DELETE'].map(async (method) => (await cluster.node(other).call(method, `/process/${id}`)).status),
  )
  expect(statuses).toEqual([503, 503])
  expect((await cluster.node(place).call('GET', `/process/${id}`)).status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, cluster.leaseMs + 2_000))
  expect(await nodeRows()).toEqual(before)
  await cluster.nats.start()
  await until(async () => (await cluster.node(other).call('GET', `/process/${id}`)).ok)
  expect(await cluster.info(other, id)).toMatchObject({ state: 'running', restarts: 0 })
})
