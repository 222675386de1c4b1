/** What two nodes have recorded of one camera is one stretch of time, which any node plays. */
import { afterEach, expect, test } from 'vitest'
import { start as startTool } from '../support/ffmpeg.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { startS3Server } from '../support/s3-server.ts'
import { until } from '../support/until.ts'
import { readVodPlaylist } from '../support/vod-playlist.ts'

interface Recording {
  readonly ended_at: string | null
  readonly segments: readonly { readonly duration_seconds: number | null }[]
}

const SECONDS = 6
const settings = { AERIE_RECORDING_SEGMENT_SECONDS: '4' }
let cluster: NodeCluster
afterEach(() => cluster.remove())

const recordingsAt = (node: string) => cluster.node(node).ask<Recording[]>('GET', '/sources/recordings')
const secondsIn = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ segments }) => segments).reduce((sum, one) => sum + (one.duration_seconds ?? 0), 0)

/** The camera comes to one node, is broken off, and comes to the other. */
async function recordAtBoth(): Promise<void> {
  const { publisher } = await cluster.goLive('a', 'roof')
  await until(async () => secondsIn(await recordingsAt('a')) >= SECONDS, 60_000)
  await publisher.kill()
  await allEnded()
  const before = secondsIn(await recordingsAt('a'))
  const again = cluster.publish('b', 'admin/roof')
  await until(async () => secondsIn(await recordingsAt('a')) >= before + SECONDS, 60_000)
  await again.kill()
  await allEnded()
}

const allEnded = () =>
  until(async () => (await recordingsAt('a')).every(({ ended_at: endedAt }) => endedAt !== null), 60_000)

const vodUrl = (node: string) =>
  `${cluster.node(node).service.url}/hls/admin/roof/vod.m3u8?container=ts&api_key=${cluster.masterKey}`
const playlistAt = (node: string) => readVodPlaylist(vodUrl(node))

/** How the pieces are answered, in their order. */
const statusesOf = (addresses: readonly string[]) =>
  Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address)
      await response.arrayBuffer()
      return response.status
    }),
  )

/** What ffmpeg decodes of it, and complains about. */
async function decodedAt(node: string): Promise<{ code: number | null; complaints: string; seconds: number }> {
  const args = ['-xerror', '-i', vodUrl(node), '-progress', 'pipe:1', '-f', 'null', '-']
  const { code, complaints, output } = await startTool('ffmpeg', args).finished
  const microseconds = [...output.matchAll(/out_time_us=(\d+)/g)].at(-1)?.[1]
  return { code, complaints, seconds: Number(microseconds) / 1e6 }
}

test('a stretch over two nodes plays as one at either; the files of a node that is away are refused by its name', async () => {
  cluster = await createNodeCluster(['a', 'b'], settings)
  await recordAtBoth()
  const total = secondsIn(await recordingsAt('a'))
  const [atA, atB] = await Promise.all(['a', 'b'].map(playlistAt))
  const withoutTokens = ({ text }: { text: string }) => text.replace(/\?token=.*/g, '')
  expect(withoutTokens(atB!)).toBe(withoutTokens(atA!))
  // What ffmpeg sends at once when it begins, half a second each time, counts as recorded only as time passes.
  expect(atA!.totalSeconds - total).toBeGreaterThan(-0.5)
  expect(atA!.totalSeconds - total).toBeLessThan(1.5)
  for (const node of ['a', 'b']) {
    const { code, complaints, seconds } = await decodedAt(node)
    expect([code, complaints]).toEqual([0, ''])
    expect(Math.abs(seconds - atA!.totalSeconds)).toBeLessThan(1)
  }
  // An address of one node counts at the other.
  const originOfA = cluster.node('a').service.url
  const fromB = atB!.pieces.map(({ address }) => address.replace(new URL(address).origin, originOfA))
  expect(new Set(await statusesOf(fromB))).toEqual(new Set([200]))

  await cluster.node('b').kill()
  const addresses = (await playlistAt('a')).pieces.map(({ address }) => address)
  const statuses = await statusesOf(addresses)
  const firstAway = statuses.indexOf(503)
  expect(firstAway).toBeGreaterThan(0)
  expect(statuses.slice(0, firstAway).every((status) => status === 200)).toBe(true)
  expect(statuses.slice(firstAway).every((status) => status === 503)).toBe(true)
  expect(await (await fetch(addresses.at(-1)!)).json()).toMatchObject({
    code: 'node-unreachable',
    detail: expect.stringContaining(' b ') as string,
  })
}, 240_000)

test('with a store the whole stretch plays without the nodes that recorded it', async () => {
  const store = await startS3Server()
  try {
    cluster = await createNodeCluster(['a', 'b', 'c'], { ...settings, ...store.settings })
    await recordAtBoth()
    const areInStore = async () => {
      const { rows } = await cluster.postgres.query(`select stored_file.place from recording_segment
        left join stored_file on stored_file.file = recording_segment.file`)
      return rows.every(({ place }) => place !== null && place !== 'disk')
    }
    await until(areInStore, 90_000)
    const whole = await decodedAt('c')
    await cluster.node('a').kill()
    await cluster.node('b').kill()
    expect(await decodedAt('c')).toEqual(whole)
    expect(whole).toMatchObject({ code: 0, complaints: '' })
    expect(whole.seconds).toBeGreaterThan(2 * SECONDS - 1)
  } finally {
    await store.remove()
  }
}, 240_000)
