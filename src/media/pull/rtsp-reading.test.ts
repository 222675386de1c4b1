import { afterEach, expect, test } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { cameraSdp, type CameraPeer, type FakeCamera, startFakeCamera } from '../../../test/support/fake-camera.ts'
import { until } from '../../../test/support/until.ts'
import { buildPacket } from '../rtp/packet.ts'
import { LEFT } from './reading.ts'
import { readRtspCamera } from './rtsp-reading.ts'

const VIDEO_CHANNEL = 0
const SOUND_CHANNEL = 2
const sound = ['m=audio 0 RTP/AVP 8', 'a=control:trackID=1', ''].join('\r\n')
const soundPacket = buildPacket(
  { payloadType: 8, sequenceNumber: 1, timestamp: 1, ssrc: 2, marker: false },
  Buffer.alloc(9),
)

let camera: FakeCamera
afterEach(() => camera.close())

/** Reads a camera that sends so when it plays. */
async function read(sends: (peer: CameraPeer) => void, silenceMs = 5_000, sdp = `${cameraSdp}${sound}`) {
  camera = await startFakeCamera({
    sdp,
    habit({ method }, peer) {
      if (method !== 'PLAY') return false
      peer.answer(200)
      sends(peer)
      return true
    },
  })
  const events: string[] = []
  const leaving = new AbortController()
  const ended = readRtspCamera({
    url: camera.url,
    dial: async (hostname) => hostname,
    silenceMs,
    publication: {
      path: 'ann/gate',
      start: ({ tracks }) => void events.push(`start ${tracks.map(({ codec }) => codec).join(' ')}`),
      write: (track) => void events.push(`write ${track}`),
      report: () => {},
    },
    onLive: () => void events.push('live'),
    log: { info: () => {}, warn: () => {} },
    signal: leaving.signal,
  })
  return { events, ended, leave: () => leaving.abort() }
}

test('a camera is live from its first video on, with the sound that comes after it', async () => {
  const { events, ended, leave } = await read((peer) => {
    peer.sendFrame(SOUND_CHANNEL, soundPacket)
    peer.sendFrame(VIDEO_CHANNEL, createFrameMaker()('key'))
    peer.sendFrame(SOUND_CHANNEL, soundPacket)
  })
  await until(async () => events.includes('write 1'))
  expect(events).toEqual(['start h264 pcma', 'live', 'write 0', 'write 1'])
  leave()
  expect(await ended).toEqual(LEFT)
})

test('a camera that sends sound and no video is lost, and was never live', async () => {
  const { events, ended } = await read((peer) => peer.sendFrame(SOUND_CHANNEL, soundPacket), 300)
  expect(await ended).toMatchObject({ kind: 'lost', sentence: expect.stringContaining('sends no video') as string })
  expect(events).toEqual([])
})

test('a camera that has no video is not played', async () => {
  const { ended } = await read(() => {}, 5_000, `v=0\r\n${sound}`)
  expect(await ended).toEqual({ kind: 'lost', sentence: 'It cannot be opened: There is no video in it.' })
  expect(camera.methods()).not.toContain('PLAY')
})
