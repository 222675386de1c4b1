import { buildPacket } from '../src/media/rtp/packet.ts'
import { announcement } from '../test/builders/h264-rtp.ts'
import { connectRtsp } from '../test/support/rtsp-client.ts'

// 720p30 at 3 Mbit/s: a frame is nine packets, a keyframe comes every two seconds.
const FRAME_BYTES = 12_500
const KEYFRAME_BYTES = 60_000
const PACKET_BYTES = 1400

/** A camera made of numbers: each packet carries the time at which its frame was sent, for readers to measure by. */
export async function startCamera(port: number, path: string, key: string) {
  const client = await connectRtsp(port)
  const url = `rtsp://127.0.0.1:${port}/${path}`
  const session = { Session: 'unknown until SETUP' }
  await client.request('ANNOUNCE', `${url}?api_key=${key}`, {}, announcement)
  const setUp = await client.request('SETUP', `${url}/streamid=0`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })
  session.Session = setUp.headers.get('session')!
  await client.request('RECORD', url, session)

  let sequenceNumber = 0
  let frames = 0
  const timer = setInterval(() => {
    const isKey = frames++ % 60 === 0
    const now = performance.timeOrigin + performance.now()
    for (let left = isKey ? KEYFRAME_BYTES : FRAME_BYTES; left > 0; left -= PACKET_BYTES) {
      const payload = Buffer.alloc(Math.min(left, PACKET_BYTES))
      payload[0] = isKey ? 0x65 : 0x41
      if (payload.length >= 16) payload.writeDoubleBE(now, 2)
      const marker = left <= PACKET_BYTES
      const header = { payloadType: 96, sequenceNumber: sequenceNumber++, timestamp: frames * 3000, ssrc: 1, marker }
      client.sendFrame(0, buildPacket(header, payload))
    }
  }, 1000 / 30)
  return {
    stop() {
      clearInterval(timer)
      client.close()
    },
  }
}
