/** A right that is given at one node counts at the others, and one that is taken there ends what runs by it everywhere. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createNodeCluster, type NodeCluster, type StreamOwner } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { basic, startReader } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
let bob: StreamOwner
let guard: StreamOwner
/** Bob's, at node a. */
let sourceId: string
let id: string
beforeAll(async () => {
  cluster = await createNodeCluster(['a', 'b'])
  bob = await cluster.issue('bob')
  guard = await cluster.issue('guard')
  ;({ sourceId } = await cluster.goLive('a', 'yard', bob))
  const { key } = bob
  ;({ process_uuid: id } = await cluster.node('a').ask<Started>('POST', `/start?source_uuid=${sourceId}`, { key }))
})
afterAll(() => cluster.remove())

/** Five seconds, and what a busy machine adds to them. */
const SOON_MS = 12_000
const RIGHTS = () => `/keys/guard/sources/${sourceId}`
const give = (node: string, ...rights: string[]) => cluster.node(node).ask('PUT', RIGHTS(), { body: { rights } })
const statusAt = async (node: string, path: string) => {
  const response = await cluster.node(node).call('GET', path, { key: guard.key })
  await response.body?.cancel()
  return response.status
}

async function listenAt(node: string, path: string): Promise<{ closed: Promise<unknown> }> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const url = cluster.node(node).service.url + path
  const response = await fetch(url, { headers: { api_key: guard.key }, signal: leaving.signal })
  expect(response.status).toBe(200)
  return { closed: response.arrayBuffer().catch(() => 'cut off') }
}

const readAt = async (node: string) => {
  const port = Number(cluster.node(node).service.ready['rtsp_port'])
  const { client } = await startReader(port, 'bob/yard', basic('guard', guard.key))
  onTestFinished(() => client.close())
  return client
}

test('what is given at one node opens the source at both, and what is taken there ends at both', async () => {
  for (const node of ['a', 'b']) expect(await statusAt(node, `/process/${id}`)).toBe(404)
  await give('a', 'watch', 'events')
  for (const node of ['a', 'b']) await until(async () => (await statusAt(node, `/process/${id}`)) === 200, SOON_MS)
  const [seen] = await cluster.node('b').ask<{ rights: string[] }[]>('GET', '/sources', { key: guard.key })
  expect(seen).toMatchObject({ source_uuid: sourceId, owner: 'bob', rights: ['watch', 'events'], input_url: null })
  const streams = await Promise.all([
    listenAt('a', `/process/${id}/events`),
    listenAt('b', `/process/${id}/events`),
    listenAt('b', `/process/${id}/feed`),
    readAt('a'),
    readAt('b'),
  ])
  const open = new Set<object>(streams)
  for (const stream of streams) void stream.closed.then(() => open.delete(stream))
  await cluster.node('b').ask('DELETE', RIGHTS())
  await until(async () => open.size === 0, SOON_MS)
  for (const node of ['a', 'b']) expect(await statusAt(node, `/process/${id}`)).toBe(404)
})

test('who may control starts at the other node for the owner, and stops there', async () => {
  await give('a', 'control')
  const there = cluster.node('b')
  const started = await there.ask<Started>('POST', `/start?source_uuid=${sourceId}`, { key: guard.key })
  const own = await there.ask<{ process_uuid: string }[]>('GET', '/processes?state=live', { key: bob.key })
  expect(own.map(({ process_uuid }) => process_uuid)).toContain(started.process_uuid)
  const stopped = await there.ask('DELETE', `/process/${started.process_uuid}`, { key: guard.key })
  expect(stopped).toEqual({ stopped: [started.process_uuid] })
})
