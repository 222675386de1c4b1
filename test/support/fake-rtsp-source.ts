import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A camera that is not what it should be. */
export interface FakeRtspSource {
  readonly url: string
  close(): Promise<void>
}

/** Accepts everybody and never says a word; or, with a description, answers every request and sends no picture. */
export async function startFakeRtspSource(description?: string): Promise<FakeRtspSource> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      if (description !== undefined) socket.write(answerTo(chunk.toString(), description))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `rtsp://127.0.0.1:${(server.address() as AddressInfo).port}/camera`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerTo(request: string, description: string): string {
  const head = ['RTSP/1.0 200 OK', `CSeq: ${/cseq: *(\d+)/i.exec(request)?.[1]}`]
  if (request.startsWith('OPTIONS')) head.push('Public: DESCRIBE, SETUP, PLAY, TEARDOWN')
  if (request.startsWith('SETUP')) head.push('Session: 1', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1')
  if (request.startsWith('PLAY')) head.push('Session: 1')
  const body = request.startsWith('DESCRIBE') ? description : ''
  if (body) head.push('Content-Type: application/sdp', `Content-Length: ${body.length}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const session = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 0.0.0.0', 't=0 0']
const withVideo = (...lines: string[]) => [...session, ...lines, ''].join('\r\n')

export const mjpegDescription = withVideo('m=video 0 RTP/AVP 26', 'a=control:0')
export const h264Description = withVideo(
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1',
  'a=control:0',
)
