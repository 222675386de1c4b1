import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type RtspRequest } from '../../src/media/rtsp/wire/message.ts'
import { createMessageParser } from '../../src/media/rtsp/wire/message-parser.ts'

/** One client, as the camera sees it. */
export interface CameraPeer {
  readonly socket: Socket
  /** Headers as lines; an answer to the request that is being handled. */
  answer(status: number, headers?: readonly string[], body?: string): void
  /** Bytes as they are. */
  write(bytes: string | Buffer): void
  sendFrame(channel: number, data: Buffer): void
}

/** What it does on a request instead of the usual; false leaves it to the usual. */
export type CameraHabit = (request: RtspRequest, peer: CameraPeer) => boolean

export interface FakeCamera {
  readonly port: number
  readonly url: string
  /** All that was asked, in order, by whomever. */
  readonly requests: readonly RtspRequest[]
  /** The methods of `requests`. */
  methods(): string[]
  /** Of the newest client. */
  peer(): CameraPeer
  readonly connections: number
  close(): Promise<void>
}

export interface FakeCameraOptions {
  readonly habit?: CameraHabit
  readonly sdp?: string
  readonly host?: string
  readonly tls?: { readonly cert: string; readonly key: string }
}

export const cameraSdp = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=control:*',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1',
  'a=control:trackID=0',
  '',
].join('\r\n')

/** A camera on loopback that does what the test says, right or wrong: an RTSP server that is not ours. */
export async function startFakeCamera(options: FakeCameraOptions = {}): Promise<FakeCamera> {
  const { habit = () => false, sdp = cameraSdp, host = '127.0.0.1', tls } = options
  const sockets = new Set<Socket>()
  const requests: RtspRequest[] = []
  let newest: CameraPeer | undefined
  let connections = 0

  function serve(socket: Socket): void {
    const parser = createMessageParser()
    let cseq = ''
    connections += 1
    sockets.add(socket)
    const peer: CameraPeer = {
      socket,
      answer: (status, headers = [], body = '') =>
        void socket.write(
          [
            `RTSP/1.0 ${status} ${status === 200 ? 'OK' : 'No'}`,
            `CSeq: ${cseq}`,
            ...headers,
            ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
            '',
            body,
          ].join('\r\n'),
        ),
      write: (bytes) => void socket.write(bytes),
      sendFrame: (channel, data) =>
        void socket.write(Buffer.concat([Buffer.from([0x24, channel, data.length >> 8, data.length & 0xff]), data])),
    }
    newest = peer
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      parser.push(chunk)
      for (let message = parser.next(); message; message = parser.next()) {
        if (message.kind !== 'request') continue
        cseq = message.headers.get('cseq') ?? ''
        requests.push(message)
        if (!habit(message, peer)) answerAsUsual(message, peer)
      }
    })
  }

  function answerAsUsual({ method, headers }: RtspRequest, peer: CameraPeer): void {
    if (method === 'DESCRIBE') return peer.answer(200, ['Content-Type: application/sdp'], sdp)
    if (method === 'SETUP') return peer.answer(200, ['Session: 12', `Transport: ${headers.get('transport')}`])
    peer.answer(200, method === 'OPTIONS' ? ['Public: DESCRIBE, SETUP, PLAY, TEARDOWN'] : [])
  }

  const server = tls ? createTlsServer(tls, serve) : createServer(serve)
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'rtsps' : 'rtsp'}://${host}:${port}/camera`,
    requests,
    methods: () => requests.map(({ method }) => method),
    peer: () => newest!,
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A habit that sends everybody elsewhere. */
export const redirectingTo =
  (location: () => string): CameraHabit =>
  ({ method }, peer) => {
    if (method !== 'OPTIONS') peer.answer(302, [`Location: ${location()}`])
    return method !== 'OPTIONS'
  }
