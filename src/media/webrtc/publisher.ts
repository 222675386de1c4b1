import { randomInt } from 'node:crypto'
import { createKeyframeFinder } from '../rtp/keyframe.ts'
import { createReorderBuffer, type ReorderBuffer } from '../rtp/reorder-buffer.ts'
import { openRtspPublisher, type RtspPublisher } from '../rtsp/client/publisher.ts'
import { type MediaTrack } from '../stream.ts'
import { buildBitrateLimit, buildNack, buildPictureLoss, isRtcp, parseFeedback } from './feedback.ts'
import { type PeerTrack } from './peer.ts'

/** A browser's camera on its way to the hub. */
export interface Publisher {
  start(): void
  /** Once a second: reports to the browser; why it has to go, if it has. */
  tick(nowMs: number): string | undefined
  close(): void
}

export interface PublisherOptions {
  readonly hubPublisher: RtspPublisher
  readonly tracks: readonly PublisherTrack[]
  readonly onEnd: (reason: string) => void
  readonly now: () => number
}

export interface PublisherTrack {
  readonly track: MediaTrack
  readonly peerTrack: PeerTrack
}

const SILENT_MS = 8_000
/** Browsers send keyframes only when asked, and every reader of the hub begins at one. */
const KEYFRAME_EVERY_MS = 2_000
const MAX_BITS_PER_SECOND = 6_000_000
/** Packets come again within a round trip; a picture later than this is of no use to anybody. */
const REORDER = { maxPackets: 256, maxWaitMs: 200 }
const MAX_HELD = 1_000

export function openHubPublisher(url: string, tracks: readonly MediaTrack[]): Promise<RtspPublisher> {
  return openRtspPublisher(url, { tracks })
}

export function createPublisher({ hubPublisher, tracks, onEnd, now }: PublisherOptions): Publisher {
  const ownSsrc = randomInt(1, 2 ** 32)
  const reorderers: ReorderBuffer[] = []
  /** The browser's senders, known from their first packets. */
  const senders = new Map<number, number>()
  const video = tracks.findIndex(({ track }) => track.kind === 'video')
  const startsKeyframe = createKeyframeFinder('h264')
  /** What comes while the hub opens the path; a few milliseconds of video. */
  const held: [index: number, packet: Buffer][] = []
  let lastMediaAtMs = now()
  let keyframeAskedAtMs = -Infinity
  let state: 'waiting' | 'opening' | 'recording' = 'waiting'
  hubPublisher.onEnd((reason) => onEnd(`the media server ended it: ${reason}`))

  for (const [index, { track, peerTrack }] of tracks.entries()) {
    const onMissing = index === video ? askAgain : undefined
    reorderers.push(createReorderBuffer({ ...REORDER, deliver: (packet) => deliver(index, packet), onMissing }))
    peerTrack.onMessage((data) => (isRtcp(data) ? onRtcp(index, data) : onRtp(index, track, data)))
  }

  function onRtp(index: number, track: MediaTrack, packet: Buffer): void {
    if (packet.length < 12 || (packet[1]! & 0x7f) !== track.payloadType) return
    lastMediaAtMs = now()
    senders.set(index, packet.readUInt32BE(8))
    reorderers[index]!.push(packet)
  }

  function askAgain(missing: readonly number[]): void {
    tracks[video]!.peerTrack.send(buildNack(ownSsrc, senders.get(video)!, missing))
  }

  function deliver(index: number, packet: Buffer): void {
    // Readers come as soon as the path is live, so it gets live with the first keyframe.
    if (index === video && state === 'waiting' && startsKeyframe(packet)) record()
    if (state === 'recording') hubPublisher.write(index, packet)
    else if (state === 'opening' && held.length < MAX_HELD) held.push([index, packet])
  }

  function record(): void {
    state = 'opening'
    hubPublisher.record().then(
      () => {
        state = 'recording'
        for (const [index, packet] of held.splice(0)) hubPublisher.write(index, packet)
      },
      (error: unknown) => onEnd((error as Error).message),
    )
  }

  function onRtcp(index: number, data: Buffer): void {
    if (state === 'recording') hubPublisher.writeReport(index, data)
    if (parseFeedback(data).saysGoodbye) onEnd('the publisher said goodbye')
  }

  function askForKeyframe(nowMs: number): void {
    const sender = senders.get(video)
    if (sender === undefined) return
    keyframeAskedAtMs = nowMs
    tracks[video]!.peerTrack.send(buildPictureLoss(ownSsrc, sender))
  }

  return {
    start: () => void (lastMediaAtMs = now()),
    tick(nowMs) {
      const sender = senders.get(video)
      if (sender !== undefined) tracks[video]!.peerTrack.send(buildBitrateLimit(ownSsrc, sender, MAX_BITS_PER_SECOND))
      if (nowMs - keyframeAskedAtMs >= KEYFRAME_EVERY_MS) askForKeyframe(nowMs)
      return nowMs - lastMediaAtMs > SILENT_MS ? 'nothing came any more' : undefined
    },
    close() {
      for (const reorderer of reorderers) reorderer.close()
      void hubPublisher.close()
    },
  }
}
