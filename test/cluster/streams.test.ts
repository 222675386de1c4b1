import { afterAll, beforeAll, expect, test } from 'vitest'
import { start as startTool } from '../support/ffmpeg.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts'
import { until } from '../support/until.ts'
import { watchByWebrtc } from '../support/webrtc-viewer.ts'

let cluster: NodeCluster
let balancer: RoundRobin
beforeAll(async () => {
  cluster = await createNodeCluster(['a', 'b'])
  // No other node can dial this one, as behind a mobile router.
  await cluster.add('hidden', { AERIE_NODE_RTSP_URL: 'off' })
  balancer = await startRoundRobin(['a', 'b', 'hidden'].map((name) => cluster.node(name).service.url))
})
afterAll(async () => {
  await balancer.close()
  await cluster.remove()
})

const key = () => `api_key=${cluster.masterKey}`
const urlOf = (node: string, path: string) =>
  `${cluster.node(node).rtspUrl.replace('//', `//admin:${cluster.masterKey}@`)}/${path}`

/** Pictures that a player gets within a few seconds. */
async function watch(node: string, path: string): Promise<number> {
  const args = ['-rtsp_transport', 'tcp', '-read_intervals', '%+3', '-count_packets', '-select_streams', 'v', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'] // prettier-ignore
  const { output } = await startTool('ffprobe', [...args, urlOf(node, path)]).finished
  return Number(output.trim().split('\n')[0])
}

async function textAt(path: string): Promise<string> {
  const response = await fetch(balancer.url + path)
  if (!response.ok) throw new Error(`${path} was answered by ${response.status}: ${await response.text()}`)
  return response.text()
}

/** The addresses in a playlist: lines, and what the tags name. */
const addressesIn = (playlist: string) => [
  ...playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
  ...[...playlist.matchAll(/URI="([^"]+)"/g)].map(([, uri]) => uri!),
]

test('what is published at one node is watched at all others, by RTSP', async () => {
  await cluster.goLive('a', 'seen')
  expect(await watch('a', 'admin/seen')).toBeGreaterThan(10)
  expect(await watch('b', 'admin/seen')).toBeGreaterThan(10)
  expect(await watch('hidden', 'admin/seen')).toBeGreaterThan(10)
})

test('so is what comes to a node that can only dial out', async () => {
  await cluster.goLive('hidden', 'far')
  expect(await watch('a', 'admin/far')).toBeGreaterThan(10)
})

test('HLS plays though each of its requests goes to another node', async () => {
  await cluster.goLive('b', 'playlist')
  const folder = '/hls/admin/playlist/'
  const [stream] = addressesIn(await textAt(`${folder}index.m3u8?${key()}`))
  const files = new Set<string>()
  await until(async () => {
    for (const address of addressesIn(await textAt(folder + stream))) files.add(address)
    return files.size > 4
  })
  for (const file of [...files].slice(0, 4)) {
    const response = await fetch(balancer.url + folder + file)
    expect([file, response.status]).toEqual([file, 200])
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100)
  }
  expect(Math.min(...balancer.counts)).toBeGreaterThan(1)
})

test('WebRTC plays at a node that does not have the stream', async () => {
  await cluster.goLive('b', 'whep')
  const viewer = await watchByWebrtc(`${cluster.node('a').service.url}/webrtc/admin/whep/whep`, cluster.masterKey)
  await until(async () => viewer.packets > 30)
  viewer.close()
})

test('a path has one publisher in the service, and is free for the same one at another node', async () => {
  const { publisher } = await cluster.goLive('a', 'once')
  const again = cluster.publish('b', 'admin/once')
  // The same publisher has come to another node.
  const { complaints } = await publisher.finished
  expect(complaints).not.toBe('')
  await until(async () => (await watch('hidden', 'admin/once')) > 10)
  await again.kill()
})
