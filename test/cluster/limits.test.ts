/** What holds for a key holds for it in the service, and not at each node anew. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectDetections } from '../support/detection-socket.ts'
import { listenToEvents } from '../support/event-listener.ts'
import { createNodeCluster, type NodeCluster, type StreamOwner } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { basic, startReader } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'

/** Three seconds, and what a busy machine adds to them. */
const SOON_MS = 9_000

let cluster: NodeCluster
let owner: StreamOwner
let count = 0
beforeAll(async () => void (cluster = await createNodeCluster(['a', 'b'])))
beforeEach(async () => void (owner = await cluster.issue(`pilot${++count}`, { max_processes: 2, max_sources: 4 })))
afterAll(() => cluster.remove())

const at = (index: number) => cluster.node(index % 2 ? 'b' : 'a')
const call = (index: number, method: string, path: string, body?: unknown) =>
  at(index).call(method, path, { key: owner.key, body })

async function goLive(node: string, name: string): Promise<string> {
  const { sourceId, publisher } = await cluster.goLive(node, name, owner)
  onTestFinished(() => void publisher.kill())
  return sourceId
}

async function start(node: string, sourceId: string): Promise<string> {
  const { key } = owner
  const { process_uuid: id } = await cluster.node(node).ask<Started>('POST', `/start?source_uuid=${sourceId}`, { key })
  return id
}

/** How many of each status. */
async function tally(answers: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('sources that are registered at two nodes at once are never more than the limit', async () => {
  const register = (index: number) =>
    call(index, 'POST', '/stream', { alias: `s${index}`, input_url: `rtsp://192.0.2.1/${index}`, stream_type: 'rtsp' })
  expect(await tally([...Array(12).keys()].map(register))).toEqual({ 201: 4, 403: 8 })
  expect(await at(1).ask<unknown[]>('GET', '/sources', { key: owner.key })).toHaveLength(4)
})

test('processes that are started at two nodes at once are never more than the limit', async () => {
  const sources = [await goLive('a', 'one'), await goLive('b', 'two'), await goLive('a', 'three')]
  const starts = sources.flatMap((id, index) =>
    [0, 1].map((node) => call(index + node, 'POST', `/start?source_uuid=${id}`)),
  )
  expect(await tally(starts)).toEqual({ 201: 2, 403: 4 })
  const running = await at(0).ask<{ state: string }[]>('GET', '/processes', { key: owner.key })
  expect(running.filter(({ state }) => state !== 'stopped' && state !== 'failed')).toHaveLength(2)
  await call(0, 'DELETE', '/processes')
})

test('detections have one client in the service', async () => {
  const id = await start('b', await goLive('a', 'single'))
  const path = `/process/${id}/detection_data`
  const url = (node: string) => `${cluster.node(node).service.url.replace('http', 'ws')}${path}?api_key=${owner.key}`
  const first = await connectDetections(url('b'))
  await first.more(2)
  for (const node of ['a', 'b']) await expect(connectDetections(url(node))).rejects.toThrow(/409/)
  await first.more(2)
  first.close()
  await until(async () => {
    const next = await connectDetections(url('a')).catch(() => undefined)
    next?.close()
    return next !== undefined
  })
  await call(0, 'DELETE', '/processes')
})

test('a key that is revoked at one node has nothing at any other, nor what was open', async () => {
  const id = await start('a', await goLive('a', 'revoked'))
  const { key, username } = owner
  const b = cluster.node('b').service
  const rtsp = Number(b.ready['rtsp_port'])
  const socket = await connectDetections(`${b.url.replace('http', 'ws')}/process/${id}/detection_data?api_key=${key}`)
  const events = await listenToEvents(b.url, id, key)
  const { client: reader } = await startReader(rtsp, `${username}/revoked`, basic(username, key))
  const playlist = async (node: string) =>
    (await cluster.node(node).call('GET', `/hls/${username}/revoked/index.m3u8`, { key })).status
  await until(async () => (await playlist('b')) === 200)
  await socket.more(2)
  await until(async () => events.events.length > 2)
  await reader.frames(5)
  const ended: Record<string, number> = {}
  const began = performance.now()
  const note = (name: string) => () => void (ended[name] = performance.now() - began)
  void socket.closed.then(note('websocket'))
  events.ended.then(note('events'), note('events'))
  void reader.closed.then(note('rtsp'))
  await cluster.node('a').ask('DELETE', `/keys/${username}`)
  for (const node of ['a', 'b']) await until(async () => (await playlist(node)) === 403).then(note(`hls at ${node}`))
  for (const node of ['a', 'b'])
    await until(async () => (await cluster.node(node).call('GET', '/user_info', { key })).status === 403).then(
      note(node),
    )
  await until(async () => Object.keys(ended).length === 7)
  expect(Math.max(...Object.values(ended)), JSON.stringify(ended)).toBeLessThan(SOON_MS)
  await until(async () => {
    const { rows } = await cluster.postgres.query('select state from process where id = $1', [id])
    return rows[0]!['state'] === 'stopped'
  })
})

// The last one: afterwards this machine's address has to wait.
test('wrong keys are counted for the service: who has tried enough at one node has at the other', async () => {
  const tries = (node: string, times: number) =>
    Promise.all([...Array(times).keys()].map(() => cluster.node(node).call('GET', '/user_info', { key: 'ak_wrong' })))
  // Twenty are allowed at once, and no node is asked as often.
  await Promise.all([tries('a', 9), tries('b', 9)])
  for (const node of ['a', 'b']) {
    let refused: Response | undefined
    for (let left = 10; left > 0 && !refused; left -= 1) {
      // What the other node has counted is on its way.
      await new Promise((resolve) => setTimeout(resolve, 100))
      refused = (await tries(node, 1)).find(({ status }) => status === 429)
    }
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // Who has a right key is served.
  expect((await cluster.node('b').call('GET', '/user_info')).status).toBe(200)
})
