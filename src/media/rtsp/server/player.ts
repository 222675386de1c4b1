import { randomBytes } from 'node:crypto'
import { type EndReason, type Subscription } from '../../publication.ts'
import { MediaRefusal } from '../../refusal.ts'
import { type MediaPacket } from '../../stream.ts'
import { type BacklogLimits } from './backlog.ts'
import { type MediaSocket } from './client-socket.ts'
import { type FanOut } from './fan-out.ts'
import { RtspFailure } from '../wire/message.ts'
import { toFailure } from './refusal-answer.ts'
import { controlOf } from '../wire/sdp-writer.ts'
import { findTrack } from './stream-url.ts'
import { createTcpReader, type RtspReader, type TcpReaderOptions } from './tcp-reader.ts'
import { createTrackTransports, type TrackTransportsOptions } from './track-transports.ts'
import { type TransportAnswer, type TransportOffer } from '../wire/transport-header.ts'
import { createUdpReader } from './udp-reader.ts'

/** A client that watches: ready (tracks set up) ⇄ playing. */
export interface Player {
  readonly kind: 'play'
  readonly id: string
  readonly path: string
  /** The number of the track that a URL names. */
  trackOf(url: string): number
  /** Whether setting up this track without naming the session means to begin anew. */
  isFinishedFor(track: number): boolean
  setUp(track: number, offers: readonly TransportOffer[]): Promise<TransportAnswer>
  /** Checks again whether it may read. */
  confirm(): Promise<void>
  /** Resolves when it may play. */
  waitForTurn(): Promise<void>
  /** Returns the value of `RTP-Info`, when the first packets are known. */
  play(base: string): string | undefined
  pause(): void
  frame(channel: number, data: Buffer): void
  /** The client gave a sign of life by a request. */
  touch(): void
  /** Why it has to end; undefined while all is well. */
  check(nowMs: number): string | undefined
  describe(): object
  close(): void
}

export interface PlayerOptions {
  readonly subscription: Subscription
  readonly network: Omit<TrackTransportsOptions, 'onRtp' | 'onRtcp'>
  readonly socket: MediaSocket
  readonly fanOut: FanOut
  readonly joinWaiting: TcpReaderOptions['joinWaiting']
  readonly limits: BacklogLimits
  readonly idleMs: number
  readonly now: () => number
  /** The stream ended. */
  readonly onEnd: (reason: EndReason) => void
  readonly onTooSlow: (why: string) => void
}

export function createPlayer(options: PlayerOptions): Player {
  const { subscription, now } = options
  const { tracks } = subscription.description
  const transports = createTrackTransports({ ...options.network, onRtp: touch, onRtcp: touch })
  let reader: RtspReader | undefined
  let isStarting = false
  let wasPaused = false
  let lastSeenAtMs = now()

  /** Anything from the client, receiver reports above all, is a sign of life. */
  function touch(): void {
    lastSeenAtMs = now()
  }

  function onEnd(reason: EndReason): void {
    stop()
    if (isStarting) throw new RtspFailure(404, 'The stream ended meanwhile.')
    options.onEnd(reason)
  }

  function createReader(): RtspReader {
    const ofTracks = tracks.map((_, index) => transports.of(index))
    if (transports.protocol === 'udp') {
      const pairs = ofTracks.map((one) => (one?.protocol === 'udp' ? one.pair : undefined))
      return createUdpReader({ pairs, now, onEnd })
    }
    const channels = ofTracks.map((one) => (one?.protocol === 'tcp' ? one.channels : undefined))
    const { socket, fanOut, joinWaiting, limits, onTooSlow } = options
    return createTcpReader({ socket, channels, fanOut, joinWaiting, limits, now, onEnd, onTooSlow })
  }

  function stop(): void {
    subscription.close()
    reader?.close()
    reader = undefined
  }

  return {
    kind: 'play',
    id: randomBytes(8).toString('hex'),
    path: subscription.path,
    trackOf(url) {
      const index = findTrack(
        url,
        tracks.map((_, i) => controlOf(i)),
      )
      if (index === undefined) throw new RtspFailure(404, 'The stream has no such track.')
      return index
    },
    isFinishedFor: (track) => wasPaused || transports.of(track) !== undefined,
    setUp(track, offers) {
      if (reader) throw new RtspFailure(455, 'Tracks are set up before playing begins.')
      return transports.setUp(track, offers)
    },
    confirm: () => subscription.confirm(),
    waitForTurn: () =>
      subscription.waitForTurn().catch((error: unknown) => {
        throw error instanceof MediaRefusal ? toFailure(error) : error
      }),
    play(base) {
      if (!transports.protocol) throw new RtspFailure(455, 'No track was set up.')
      if (reader) return undefined
      reader = createReader()
      isStarting = true
      try {
        subscription.start(reader)
      } catch (error) {
        stop()
        throw error instanceof MediaRefusal ? toFailure(error) : error
      } finally {
        isStarting = false
      }
      const wanted = tracks.flatMap((_, index) => (transports.of(index) ? [index] : []))
      const rtpInfo = formatRtpInfo(base, wanted, reader.waiting())
      if (rtpInfo !== undefined) reader.announce()
      return rtpInfo
    },
    pause() {
      if (reader) wasPaused = true
      stop()
    },
    frame: (channel, data) => transports.frame(channel, data),
    touch,
    check(nowMs) {
      const isKeptByConnection = reader && transports.protocol === 'tcp'
      if (!isKeptByConnection && nowMs - lastSeenAtMs > options.idleMs) return 'no sign of life'
      const why = reader?.check(nowMs)
      if (why) options.onTooSlow(why)
      return undefined
    },
    describe: () => ({ path: subscription.path, transport: transports.protocol }),
    close() {
      stop()
      transports.close()
    },
  }
}

/** RFC 2326 §12.33. For all tracks or for none: live555 (VLC) goes by their order. */
function formatRtpInfo(base: string, tracks: readonly number[], packets: readonly MediaPacket[]): string | undefined {
  const parts = tracks.map((track) => {
    const first = packets.find((packet) => packet.track === track)
    return first && `url=${base}${controlOf(track)};seq=${first.data.readUInt16BE(2)};rtptime=${first.timestamp}`
  })
  return parts.includes(undefined) ? undefined : parts.join(',')
}
