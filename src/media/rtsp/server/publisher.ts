import { randomBytes } from 'node:crypto'
import { type EndReason, type Publication } from '../../publication.ts'
import { createReorderBuffer, type ReorderBuffer } from '../../rtp/reorder-buffer.ts'
import { type MediaTrack } from '../../stream.ts'
import { RtspFailure } from '../wire/message.ts'
import { parseSenderReport } from '../wire/rtcp.ts'
import { type AnnouncedTrack } from '../wire/sdp-parser.ts'
import { findTrack } from './stream-url.ts'
import { createTrackTransports, type TrackTransportsOptions } from './track-transports.ts'
import { type TransportAnswer, type TransportOffer } from '../wire/transport-header.ts'

/** A client that sends: announced → (tracks set up) → recording ⇄ paused. */
export interface Publisher {
  readonly kind: 'publish'
  readonly id: string
  readonly path: string
  setUp(url: string, offers: readonly TransportOffer[]): Promise<TransportAnswer>
  /** Checks again whether it may publish. */
  confirm(): Promise<void>
  /** Answers whether the stream began by it; after a pause it goes on. */
  record(): boolean
  pause(): void
  frame(channel: number, data: Buffer): void
  /** Why it has to end; undefined while all is well. */
  check(nowMs: number): string | undefined
  describe(): object
  /** Of the video that was set up, the codecs that we do not know, as they were announced. */
  unknownVideo(): string[]
  close(): void
}

export interface PublisherOptions {
  readonly publication: Publication
  readonly tracks: readonly AnnouncedTrack[]
  readonly network: Omit<TrackTransportsOptions, 'onRtp' | 'onRtcp'>
  readonly idleMs: number
  readonly now: () => number
  /** The hub ended it. */
  readonly onEnd: (reason: EndReason) => void
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { publication, tracks, now } = options
  const transports = createTrackTransports({ ...options.network, onRtp, onRtcp })
  const reorderers = new Map<number, ReorderBuffer>()
  /** The hub's number of each announced track that was set up; empty until the stream is live. */
  const published = new Map<number, number>()
  let isRecording = false
  let isClosed = false
  let lastMediaAtMs = now()
  publication.onEnd(options.onEnd)

  function onRtp(index: number, packet: Buffer): void {
    const isRtp = packet.length >= 12 && packet[0]! >> 6 === 2
    if (!isRecording || !isRtp || (packet[1]! & 0x7f) !== tracks[index]!.track.payloadType) return
    lastMediaAtMs = now()
    if (transports.protocol === 'tcp') return deliver(index, packet)
    let reorderer = reorderers.get(index)
    if (!reorderer) {
      reorderer = createReorderBuffer({ deliver: (inOrder) => deliver(index, inOrder) })
      reorderers.set(index, reorderer)
    }
    reorderer.push(packet)
  }

  function deliver(index: number, packet: Buffer): void {
    const track = published.get(index)
    if (track !== undefined) publication.write(track, packet)
  }

  function onRtcp(index: number, compound: Buffer): void {
    const track = published.get(index)
    const report = isRecording ? parseSenderReport(compound) : undefined
    if (report && track !== undefined) publication.report({ track, ...report })
  }

  const setUpTracks = () => tracks.flatMap(({ track }, index) => (published.has(index) ? [track] : []))

  return {
    kind: 'publish',
    id: randomBytes(8).toString('hex'),
    path: publication.path,
    setUp(url, offers) {
      const index = findTrack(
        url,
        tracks.map(({ control }) => control),
      )
      if (index === undefined) throw new RtspFailure(404, 'The announced description has no such track.')
      if (published.size > 0) throw new RtspFailure(455, 'Tracks are set up before recording begins.')
      return transports.setUp(index, offers)
    },
    confirm: () => publication.confirm(),
    record() {
      const live = tracks.flatMap(({ track }, index) => (transports.of(index) ? [{ track, index }] : []))
      if (live.length === 0) throw new RtspFailure(455, 'No track was set up.')
      isRecording = true
      if (published.size > 0) return false
      lastMediaAtMs = now()
      for (const [position, { index }] of live.entries()) published.set(index, position)
      publication.start({ tracks: live.map(({ track }) => track) })
      return true
    },
    pause: () => void (isRecording = false),
    frame: (channel, data) => transports.frame(channel, data),
    check: (nowMs) => (nowMs - lastMediaAtMs > options.idleMs ? 'no media came' : undefined),
    describe: () => ({
      path: publication.path,
      transport: transports.protocol,
      codecs: setUpTracks().map(nameOf),
    }),
    unknownVideo: () =>
      setUpTracks()
        .filter(({ kind, codec }) => kind === 'video' && codec === 'other')
        .map(nameOf),
    close() {
      if (isClosed) return
      isClosed = true
      isRecording = false
      for (const reorderer of reorderers.values()) reorderer.close()
      transports.close()
      publication.close()
    },
  }
}

/** As it was announced, where we have no word for it. */
function nameOf({ codec, encodingName }: MediaTrack): string {
  return codec === 'other' ? encodingName || 'unknown' : codec
}
