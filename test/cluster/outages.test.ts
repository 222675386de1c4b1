import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DetectionSocket } from '../support/detection-socket.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { notifiedTracks } from '../support/notified-tracks.ts'
import { type OutputRecord } from '../support/outputs.ts'
import { type Started } from '../support/process-rig.ts'
import { listen, receive } from '../support/rtmp-receiver.ts'
import { until } from '../support/until.ts'

/** As long as a short test may take; the long form has what the documents promise. */
const OUTAGE_MS = Number(process.env['AERIE_CLUSTER_OUTAGE_MS'] ?? 10_000)

let cluster: NodeCluster
let receiver: HttpReceiver
let id: string
let socket: DetectionSocket
beforeAll(async () => {
  cluster = await createNodeCluster(['a', 'b'])
  const { sourceId } = await cluster.goLive('a', 'steady')
  ;({ process_uuid: id } = await cluster.node('b').ask<Started>('POST', `/start?source_uuid=${sourceId}`))
})
afterAll(() => cluster.remove())
beforeEach(async () => {
  receiver = await createHttpReceiver()
  const body = { event_type: 'new-tracks', notification_url: `http://127.0.0.1:${receiver.port}/tracks` }
  await cluster.node('b').ask('POST', `/subscribe/${id}`, { body })
  socket = await cluster.node('a').connect({ process_uuid: id })
  await until(async () => ids().length > 3)
})
afterEach(async () => {
  socket.close()
  await cluster.node('b').ask('DELETE', `/subscriptions/${id}?all=true`)
  await receiver.close()
})

const ids = () => notifiedTracks(receiver, '/tracks')
const outageIsOver = (beganAtMs: number) => until(async () => performance.now() - beganAtMs > OUTAGE_MS, 2 * OUTAGE_MS)

/** Each track that was seen meanwhile, and none twice. */
async function untilAllNotified(): Promise<void> {
  const seen = new Set(
    socket.messages.flatMap(({ active_tracks: tracks }) => tracks.map(({ track_id: track }) => track)),
  )
  await until(async () => [...seen].every((track) => ids().includes(track)))
  expect(ids()).toHaveLength(new Set(ids()).size)
}

/** A server to which the processed video is pushed; answers how many connections it has now. */
async function pushVideo(): Promise<() => number> {
  let connections = 0
  const port = await listen((socket) => {
    connections += 1
    receive(socket)
    socket.once('close', () => (connections -= 1))
  })
  const body = { alias: 'pushed', type: 'rtmp', url: `rtmp://127.0.0.1:${port}/live/name` }
  const { output_uuid: output } = await cluster.node('b').ask<OutputRecord>('POST', '/output', { body })
  await cluster.node('b').ask('POST', `/process/${id}/${output}`)
  await until(async () => connections === 1)
  return () => connections
}

test('without NATS everything that is here goes on, what is elsewhere is refused, and heals by itself', async () => {
  const [a, b] = [cluster.node('a'), cluster.node('b')]
  const [worker] = a.workers()
  await cluster.nats.kill()
  const beganAtMs = performance.now()
  await until(async () => (await b.call('GET', `/process/${id}`)).status === 503)
  const refused = await b.call('GET', `/process/${id}`)
  expect(await refused.json()).toMatchObject({ code: 'node-unreachable' })
  expect(refused.headers.get('retry-after')).toBe('2')
  // Lists are in the database.
  expect(await b.ask<unknown[]>('GET', '/processes')).toHaveLength(1)
  const before = ids().length
  await socket.more(20)
  await until(async () => ids().length > before + 3)
  expect(await cluster.info('a', id)).toMatchObject({ state: 'running', restarts: 0 })
  await outageIsOver(beganAtMs)
  await cluster.nats.start()
  await until(async () => (await b.call('GET', `/process/${id}`)).ok)
  expect(a.workers()).toEqual([worker])
  expect(await cluster.nodeOf(id)).toBe('a')
  await untilAllNotified()
})

test('without PostgreSQL for longer than a lease no worker restarts, nothing moves, and nothing is lost', async () => {
  const a = cluster.node('a')
  const connections = await pushVideo()
  const [worker] = a.workers()
  const epochs = () => cluster.postgres.query('select id, epoch from node order by id').then(({ rows }) => rows)
  const before = await epochs()
  await cluster.postgres.kill()
  const beganAtMs = performance.now()
  await socket.more(20)
  // From the end of the lease on another node may be pushing to it.
  await until(async () => connections() === 0)
  await outageIsOver(beganAtMs)
  await socket.more(20)
  expect(connections()).toBe(0)
  const notified = ids().length
  await cluster.postgres.start()
  await until(async () => ids().length > notified + 3)
  expect(a.workers()).toEqual([worker])
  await until(async () => connections() === 1)
  await until(async () => (await cluster.info('b', id)).state === 'running')
  expect(await cluster.info('a', id)).toMatchObject({ restarts: 0 })
  // For a lease nobody is declared dead by those who come back first.
  await new Promise((resolve) => setTimeout(resolve, cluster.leaseMs + 1_000))
  expect(await epochs()).toEqual(before)
  expect(await cluster.nodeOf(id)).toBe('a')
  await untilAllNotified()
})
