import { afterEach, expect, test } from 'vitest'
import { type CameraHabit, cameraSdp, type FakeCamera, startFakeCamera } from '../../../../test/support/fake-camera.ts'
import { createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { readRtspVideo, type RtspVideoPart } from './video-reader.ts'

const cameras: FakeCamera[] = []
afterEach(async () => {
  for (const camera of cameras.splice(0)) await camera.close()
})

async function aCamera(habit: CameraHabit, sdp = cameraSdp): Promise<FakeCamera> {
  const camera = await startFakeCamera({ habit, sdp })
  cameras.push(camera)
  return camera
}

function read(url: string, silenceMs = 5_000) {
  const leaving = new AbortController()
  const server = { dial: async (hostname: string) => hostname }
  const parts = readRtspVideo({ url, server, silenceMs, signal: leaving.signal })
  return { parts, leave: () => leaving.abort() }
}

/** The kinds of what comes, up to `count` of them. */
async function take(parts: AsyncIterable<RtspVideoPart>, count: number): Promise<string[]> {
  const kinds: string[] = []
  for await (const { kind } of parts) if (kinds.push(kind) >= count) break
  return kinds
}

function sending(...kinds: ('key' | 'delta')[]): CameraHabit {
  const makeFrame = createFrameMaker()
  return ({ method }, peer) => {
    if (method !== 'PLAY') return false
    peer.answer(200)
    for (const kind of kinds) peer.sendFrame(0, makeFrame(kind))
    return true
  }
}

test('only the first video that can be decoded is set up: no sound, no metadata', async () => {
  const sdp = [
    'v=0',
    'm=application 0 RTP/AVP 107',
    'a=rtpmap:107 vnd.onvif.metadata/90000',
    'a=control:meta',
    'm=audio 0 RTP/AVP 0',
    'a=control:sound',
    'm=video 0 RTP/AVP 26',
    'a=control:mjpeg',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=control:main',
    'm=video 0 RTP/AVP 97',
    'a=rtpmap:97 H264/90000',
    'a=control:sub',
    '',
  ].join('\r\n')
  const camera = await aCamera(sending('key', 'delta'), sdp)
  expect(await take(read(camera.url).parts, 3)).toEqual(['opened', 'unit', 'unit'])
  const setUp = camera.requests.filter(({ method }) => method === 'SETUP')
  expect(setUp.map(({ url }) => url.split('/').at(-1))).toEqual(['main'])
})

test('a camera that sends its client elsewhere is read from there', async () => {
  const there = await aCamera(sending('key'))
  const here = await aCamera(({ method }, peer) => {
    if (method === 'SETUP') peer.answer(302, [`Location: ${there.url}`])
    return method === 'SETUP'
  })
  expect(await take(read(here.url).parts, 2)).toEqual(['opened', 'opened'])
  expect(there.methods().slice(0, 3)).toEqual(['DESCRIBE', 'SETUP', 'PLAY'])
})

test('one that sends everybody back and forth is left', async () => {
  const camera: FakeCamera = await aCamera(({ method }, peer) => {
    if (method === 'SETUP') peer.answer(302, [`Location: ${camera.url}`])
    return method === 'SETUP'
  })
  await expect(take(read(camera.url).parts, 100)).rejects.toThrow('It redirects more than 3 times')
  expect(camera.connections).toBe(4)
})

test('silence after pictures is reported as that', async () => {
  const camera = await aCamera(sending('key'))
  await expect(take(read(camera.url, 200).parts, 100)).rejects.toThrow('Nothing has come for 0.2 s.')
})

test('a camera that keeps its client waiting is left in time', async () => {
  const camera = await aCamera(() => true)
  await expect(take(read(camera.url, 100).parts, 100)).rejects.toMatchObject({ kind: 'no-answer' })
})

test('video that is neither H.264 nor H.265 is named', async () => {
  const camera = await aCamera(() => false, 'v=0\r\nm=video 0 RTP/AVP 26\r\n')
  await expect(take(read(camera.url).parts, 1)).rejects.toThrow('The video is mjpeg; set the sender to H.264 or H.265.')
})

test('whoever leaves has left, whatever the camera does', async () => {
  const camera = await aCamera(sending('key'))
  const { parts, leave } = read(camera.url)
  const kinds: string[] = []
  for await (const { kind } of parts) if (kinds.push(kind) === 2) leave()
  expect(kinds).toEqual(['opened', 'unit'])
})
