/**
 * Who plays already when a right is taken plays on from what comes by itself: a playlist that is asked for again, a session of WebRTC, pieces
 * of recordings whose addresses were handed out before. All of it ends within the five seconds that docs/keys.md promises.
 */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { start as startTool, type Running } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'
import { watchByWebrtc } from '../support/webrtc-viewer.ts'

const PATH = 'bob/cam'
/** Without frames that wait for others, as WebRTC plays it. */
const CAMERA = [
  ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-pix_fmt', 'yuv420p'],
  ...['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '10'],
  ...['-f', 'rtsp', '-rtsp_transport', 'tcp'],
]
/** Five seconds, and what a busy machine adds to them. */
const SOON_MS = 11_000
const SILENCE_MS = 3_000

let service: AttackedService
let camera: Running
let sourceId: string

beforeAll(async () => {
  service = await startAttacked({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  const body = { alias: 'cam', input_url: service.rtspUrl(PATH), stream_type: 'rtsp' }
  const answer = await service.call('POST', '/stream', { key: service.bob, body })
  sourceId = ((await answer.json()) as { source_uuid: string }).source_uuid
  camera = startTool('ffmpeg', [...CAMERA, service.rtspUrl(PATH).replace('//', `//bob:${service.bob}@`)], 240_000)
})
beforeEach(async () => {
  const body = { rights: ['watch'] }
  expect((await service.call('PUT', `/keys/mallory/sources/${sourceId}`, { body })).ok).toBe(true)
})
afterAll(async () => {
  await camera.kill()
  await service.installation.remove()
})

/** Answers when that was. */
async function take(): Promise<number> {
  expect((await service.call('DELETE', `/keys/mallory/sources/${sourceId}`)).status).toBe(200)
  return performance.now()
}

const get = (address: string) => fetch(new URL(address, service.url), { headers: { api_key: service.mallory } })
async function statusOf(address: string): Promise<number> {
  const response = await get(address)
  await response.arrayBuffer()
  return response.status
}

/** What a playlist names, each as it is fetched. */
async function addressesIn(playlist: string): Promise<string[]> {
  const response = await get(playlist)
  const text = response.ok ? await response.text() : ''
  const named = [...text.matchAll(/^(?!#)(\S+)$|URI="([^"]+)"/gm)].map(([, line, uri]) => line ?? uri!)
  return named.map((address) => new URL(address, new URL(playlist, service.url)).href)
}

async function expectClosedSoon(address: string, takenAt: number): Promise<void> {
  await until(async () => (await statusOf(address)) >= 400, SOON_MS)
  expect(performance.now() - takenAt).toBeLessThan(SOON_MS)
}

test('a player of live HLS gets no more playlists and no more pieces', async () => {
  const main = `/hls/${PATH}/index.m3u8`
  let media: string[] = []
  await until(async () => (media = await addressesIn(main)).length > 0, 40_000)
  let pieces: string[] = []
  await until(async () => (pieces = await addressesIn(media[0]!)).length > 2, 40_000)
  expect(await statusOf(pieces[0]!)).toBe(200)
  const takenAt = await take()
  for (const address of [main, media[0]!, pieces.at(-1)!]) await expectClosedSoon(address, takenAt)
})

test('pieces of recorded video are played no longer, by the addresses that were handed out', async () => {
  let pieces: string[] = []
  await until(async () => (pieces = await addressesIn(`/hls/${PATH}/vod.m3u8`)).length > 1, 60_000)
  // As a player has them: they carry no key.
  const statusOfPiece = async () => {
    const response = await fetch(pieces.at(-1)!)
    await response.arrayBuffer()
    return response.status
  }
  expect(await statusOfPiece()).toBe(200)
  const takenAt = await take()
  await until(async () => (await statusOfPiece()) >= 400, SOON_MS)
  await expectClosedSoon(`/hls/${PATH}/vod.m3u8`, takenAt)
})

test('a session of WebRTC ends', async () => {
  const viewer = await watchByWebrtc(`${service.url}/webrtc/${PATH}/whep`, service.mallory)
  onTestFinished(() => viewer.close())
  await until(async () => viewer.packets > 20)
  const takenAt = await take()
  // Ten frames a second come: three seconds without any are the end.
  await until(async () => viewer.maxGapMs() > SILENCE_MS, SOON_MS + SILENCE_MS)
  expect(performance.now() - takenAt).toBeLessThan(SOON_MS + SILENCE_MS)
  const { packets } = viewer
  await expect(watchByWebrtc(`${service.url}/webrtc/${PATH}/whep`, service.mallory)).rejects.toThrow(/404/)
  expect(viewer.packets).toBe(packets)
})
