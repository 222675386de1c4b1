import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket } from 'node:net'
import { type RtspResponse } from '../../src/media/rtsp/wire/message.ts'
import { announcement } from '../builders/h264-rtp.ts'
import { connectRtsp, type RtspClient } from './rtsp-client.ts'

/** `Basic` for one of the users of `media-access.ts`. */
export const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})
export const asAda = basic('ada', 'secret')

export const sessionOf = (response: RtspResponse) => response.headers.get('session')!.split(';')[0]!

/** A client that has announced, set up its tracks by TCP (channels 0–1 and 2–3) and records; with a socket of TLS by that. */
export async function startPublisher(
  port: number,
  path: string,
  headers: Record<string, string> = asAda,
  socket?: Socket,
) {
  const client = await connectRtsp(port, socket)
  const url = `rtsp://127.0.0.1:${port}/${path}`
  expectOk(await client.request('ANNOUNCE', url, { ...headers, 'Content-Type': 'application/sdp' }, announcement))
  const setUp = await client.request('SETUP', `${url}/streamid=0`, {
    Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record',
  })
  const session = { Session: sessionOf(setUp) }
  const second = { Transport: 'RTP/AVP/TCP;unicast;interleaved=2-3;mode=record', ...session }
  expectOk(await client.request('SETUP', `${url}/streamid=1`, second))
  expectOk(await client.request('RECORD', url, session))
  return { client, url, session, sendVideo: (packet: Buffer) => client.sendFrame(0, packet) }
}

/** A client that has described a stream and set up its video by TCP (channels 0–1). */
export async function prepareReader(port: number, path: string, headers: Record<string, string> = asAda) {
  const client = await connectRtsp(port)
  const url = `rtsp://127.0.0.1:${port}/${path}`
  expectOk(await client.request('DESCRIBE', url, { Accept: 'application/sdp', ...headers }))
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }
  const setUp = await client.request('SETUP', `${url}/trackID=0`, transport)
  const session = { Session: sessionOf(setUp) }
  return { client, url, session, play: () => client.request('PLAY', `${url}/`, session) }
}

export async function startReader(port: number, path: string, headers: Record<string, string> = asAda) {
  const reader = await prepareReader(port, path, headers)
  expectOk(await reader.play())
  return reader
}

export function expectOk(response: RtspResponse): void {
  if (response.status !== 200) throw new Error(`Expected 200, got ${response.status} ${response.reason}`)
}

export interface UdpClientPorts {
  readonly rtp: UdpSocket
  readonly rtcp: UdpSocket
  /** For a Transport header. */
  readonly clientPort: string
  close(): void
}

export async function openUdpPorts(): Promise<UdpClientPorts> {
  const [rtp, rtcp] = [createSocket('udp4'), createSocket('udp4')]
  for (const socket of [rtp, rtcp]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  return {
    rtp,
    rtcp,
    clientPort: `client_port=${rtp.address().port}-${rtcp.address().port}`,
    close() {
      rtp.close()
      rtcp.close()
    },
  }
}

/** The server's ports in the answer to SETUP. */
export function serverPortsOf(response: RtspResponse): [rtp: number, rtcp: number] {
  const match = /server_port=(\d+)-(\d+)/.exec(response.headers.get('transport') ?? '')!
  return [Number(match[1]), Number(match[2])]
}

/** Closes every client that a test made. */
export function closeAll(...clients: readonly (RtspClient | UdpClientPorts)[]): void {
  for (const client of clients) client.close()
}
