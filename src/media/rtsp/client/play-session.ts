import { randomInt } from 'node:crypto'
import { createDeferred } from '../../../core/deferred.ts'
import { type SenderReport } from '../../stream.ts'
import { RtspClientError } from './client-error.ts'
import { type RtspClientConnection } from './connection.ts'
import { keepAlive } from './keep-alive.ts'
import { type FrameTakers, type MediaChannel, openTcpChannel, openUdpChannel } from './media-channel.ts'
import { type RtspRequester, type RtspSession, sessionHeader, sessionOf } from './requester.ts'
import { type ServedTrack } from './served-stream.ts'
import { createTrackReceiver } from './track-receiver.ts'
import { parseTransportAnswer } from '../wire/transport-header.ts'

export type MediaTransport = 'tcp' | 'udp'

export interface PlaySessionOptions {
  readonly connection: RtspClientConnection
  readonly requester: RtspRequester
  /** Of the whole stream. */
  readonly url: string
  /** The tracks that are wanted, by their number in the description. */
  readonly tracks: ReadonlyMap<number, ServedTrack>
  readonly transport: MediaTransport
  readonly onPacket: (track: number, packet: Buffer) => void
  readonly onReport: (report: SenderReport) => void
}

/** Tracks that are set up on a connection, and play. */
export interface PlaySession {
  /** Resolves with the first packet. */
  readonly begun: Promise<void>
  /** Ends the session on the server. The connection stays. */
  close(): void
}

/** RFC 2326 §11.3.3: this transport is not served. */
export const UNSUPPORTED_TRANSPORT = 461
const REPORT_EVERY_MS = 5_000

export async function startPlaySession(options: PlaySessionOptions): Promise<PlaySession> {
  const { connection, requester, url, transport, onPacket, onReport } = options
  const channels: MediaChannel[] = []
  const takers: FrameTakers = new Map()
  const begun = createDeferred()
  const reports = setInterval(() => channels.forEach((channel) => channel.sendReport()), REPORT_EVERY_MS)
  let session: RtspSession | undefined
  let alive: { stop(): void } | undefined
  connection.onFrame((channel, data) => takers.get(channel)?.(data))

  function openChannel(index: number, { track }: ServedTrack): MediaChannel | Promise<MediaChannel> {
    const receiver = createTrackReceiver({
      track,
      ssrc: randomInt(2 ** 32),
      isOrdered: transport === 'tcp',
      onPacket(packet) {
        begun.resolve()
        onPacket(index, packet)
      },
      onSenderReport: (report) => onReport({ track: index, ...report }),
      now: () => performance.now(),
    })
    return transport === 'tcp'
      ? openTcpChannel(connection, takers, receiver)
      : openUdpChannel(connection, track.payloadType, receiver)
  }

  async function setUp(channel: MediaChannel, trackUrl: string): Promise<RtspSession> {
    const { headers } = await requester.request('SETUP', trackUrl, {
      Transport: channel.offer,
      ...sessionHeader(session),
    })
    const answer = parseTransportAnswer(headers.get('transport') ?? channel.offer)
    if (!answer || !channel.accept(answer))
      throw new RtspClientError('refused', 'The server agrees to another transport only.', UNSUPPORTED_TRANSPORT)
    return sessionOf(headers)
  }

  function close(): void {
    alive?.stop()
    clearInterval(reports)
    takers.clear()
    for (const channel of channels) channel.close()
    if (session) requester.request('TEARDOWN', url, sessionHeader(session)).catch(() => {})
  }

  try {
    for (const [index, served] of options.tracks) {
      const channel = await openChannel(index, served)
      channels.push(channel)
      session = await setUp(channel, served.url)
    }
    if (!session) throw new RtspClientError('unusable', 'There is no track to play.')
    await requester.request('PLAY', url, { ...sessionHeader(session), Range: 'npt=0.000-' })
    alive = keepAlive(requester, url, session)
    return { begun: begun.promise, close }
  } catch (error) {
    close()
    throw error
  }
}
