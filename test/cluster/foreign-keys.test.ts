/** What one account has at one node is nobody else's at another: by no key, header, link or token. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDetections } from '../support/detection-socket.ts'
import { createNodeCluster, type NodeCluster, type StreamOwner } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { connectRtsp } from '../support/rtsp-client.ts'
import { basic } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
let bob: StreamOwner
let mallory: StreamOwner
/** Bob's, at node a. */
let sourceId: string
let id: string
let recorded: string
beforeAll(async () => {
  cluster = await createNodeCluster(['a', 'b'], { AERIE_RECORDING_SEGMENT_SECONDS: '10' })
  bob = await cluster.issue('bob')
  mallory = await cluster.issue('mallory')
  ;({ sourceId } = await cluster.goLive('a', 'yard', bob))
  const { key } = bob
  ;({ process_uuid: id } = await cluster.node('a').ask<Started>('POST', `/start?source_uuid=${sourceId}`, { key }))
  const recordings = () =>
    cluster.node('b').ask<{ segments: { download_url: string }[] }[]>('GET', '/sources/recordings', { key })
  await until(async () => (await recordings())[0]?.segments[0] !== undefined)
  recorded = (await recordings())[0]!.segments[0]!.download_url
})
afterAll(() => cluster.remove())

const urlOf = (node: string) => cluster.node(node).service.url
const statusBy = async (key: string, method: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(urlOf('b') + path, { method, headers: { ...(key && { api_key: key }), ...headers } })
  await response.body?.cancel()
  return response.status
}

/** Of bob's process, source and stream; the body of those that need one is looked at after whose it is, or not at all. */
const requests = (): [method: string, path: string][] => [
  ['GET', `/process/${id}`],
  ['DELETE', `/process/${id}`],
  ['POST', `/process/${id}/stop`],
  ['POST', `/process/${id}/pause`],
  ['POST', `/process/${id}/resume`],
  ['GET', `/process/${id}/events`],
  ['GET', `/process/${id}/feed`],
  ['GET', `/process/${id}/tracks`],
  ['DELETE', `/process/${id}/tracks`],
  ['POST', `/decorate_tracks/${id}`],
  ['GET', `/decorate_tracks/${id}/status`],
  ['GET', `/subscriptions/${id}`],
  ['GET', `/subscriptions/${id}/deliveries`],
  ['DELETE', `/subscriptions/${id}?all=true`],
  ['GET', `/source/${sourceId}`],
  ['DELETE', `/source/${sourceId}`],
  ['POST', `/start?source_uuid=${sourceId}`],
  ['GET', '/hls/bob/yard/index.m3u8'],
]

test.each([
  ['another key', {}],
  [
    'another key that speaks as nodes and proxies might',
    {
      'aerie-hop': '1',
      'aerie-node': 'a',
      'x-aerie-node': 'a',
      'x-aerie-account': 'bob',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'a',
      'x-forwarded-user': 'bob',
      forwarded: 'for=127.0.0.1;host=a',
      via: '1.1 a',
    },
  ],
])('%s sees, stops and watches nothing of it, wherever it asks', async (_who, headers) => {
  for (const [method, path] of requests()) {
    const status = await statusBy(mallory.key, method, path, headers)
    expect([method, path, String(status)]).toEqual([method, path, expect.stringMatching(/^40[34]$/)])
  }
  for (const kind of ['detection_data', 'drone_data', 'telemetry'])
    await expect(connectDetections(`${urlOf('b').replace('http', 'ws')}/process/${id}/${kind}?api_key=${mallory.key}`)).rejects.toThrow(/40[34]/) // prettier-ignore
  expect((await cluster.node('b').ask<{ state: string }>('GET', `/process/${id}`, { key: bob.key })).state).toBe(
    'running',
  )
})

test('headers in the place of a key open nothing, and lists have nothing of others', async () => {
  for (const [method, path] of requests()) {
    const status = await statusBy('', method, path, { 'aerie-hop': '1', 'x-aerie-account': 'bob', 'aerie-node': 'a' })
    expect([path, status]).toEqual([path, 403])
  }
  for (const path of ['/sources', '/processes', '/sources/recordings', '/tracked_processes', '/outputs'])
    expect([path, await cluster.node('b').ask('GET', path, { key: mallory.key })]).toEqual([path, []])
  for (const path of ['/processes', '/process/stop_all'])
    await cluster.node('b').call(path === '/processes' ? 'DELETE' : 'POST', path, { key: mallory.key })
  expect((await cluster.node('b').ask<{ state: string }>('GET', `/process/${id}`, { key: bob.key })).state).toBe(
    'running',
  )
})

test('tokens that nodes have for each other cannot be made, and links open what they name', async () => {
  const port = Number(cluster.node('b').service.ready['rtsp_port'])
  const describe = async (path: string, token: string, headers: Record<string, string> = {}) => {
    const client = await connectRtsp(port)
    const query = token && `?token=${token}`
    const { status } = await client.request('DESCRIBE', `rtsp://127.0.0.1:${port}/${path}${query}`, headers)
    client.close()
    return status
  }
  expect(await describe('bob/yard', '', basic('bob', bob.key))).toBe(200)
  expect(await describe('bob/yard', '', basic('mallory', mallory.key))).not.toBe(200)
  // What is signed for one thing is worth nothing for another.
  const signed = new URL(recorded).searchParams.get('token')!
  const expires = signed.split('.')[0]!
  const guessed = (secret: string) =>
    createHmac('sha256', secret).update(`${expires}\nrelay read bob/yard`).digest('base64url')
  for (const token of [
    signed,
    `nt_${signed}`,
    ...['', mallory.key, cluster.masterKey].map((secret) => `nt_${expires}.${guessed(secret)}`),
  ])
    // prettier-ignore
    expect([token, await describe('bob/yard', token)]).not.toEqual([token, 200])
  expect((await fetch(recorded)).status).toBe(200)
  const other = new URL(recorded)
  other.pathname = other.pathname.replace(/[^/]+\.mp4$/, '0192f3c4-0000-7000-8000-000000000000.mp4')
  expect((await fetch(other)).status).toBeGreaterThanOrEqual(400)
  for (const path of [`/process/${id}`, `/process/${id}/video/original.mp4`, '/hls/bob/yard/index.m3u8'])
    expect((await fetch(`${urlOf('b')}${path}?token=${signed}`)).ok).toBe(false)
})
