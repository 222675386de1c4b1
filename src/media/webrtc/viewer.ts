import { isVideoTrack } from '../rtp/nal-unit-codecs.ts'
import { timestampStep } from '../rtp/wrapping-numbers.ts'
import { type Frame } from './frame.ts'
import { parseFeedback } from './feedback.ts'
import { createOutgoingTrack, type OutgoingTrack } from './outgoing-track.ts'
import { createPacedQueue } from './paced-queue.ts'
import { type PeerTrack } from './peer.ts'
import { type SharedTurns } from './shared-turns.ts'
import { type HubStream } from './hub-stream.ts'

/** One browser that watches: waits for its connection, catches up from the last keyframe, then goes along. */
export interface Viewer {
  /** The connection is there. */
  start(): void
  /** Once a second: reports to the viewer; why it has to go, if it has. */
  tick(nowMs: number): string | undefined
  close(): void
}

export interface ViewerOptions {
  readonly hubStream: HubStream
  readonly tracks: readonly ViewerTrack[]
  readonly onEnd: (reason: string) => void
  /** Of all viewers, for what one of them gets at once. */
  readonly turns: SharedTurns
  readonly now: () => number
}

/** A track of the stream on its way to a track of the browser. */
export interface ViewerTrack {
  readonly track: number
  readonly payloadType: number
  readonly ssrc: number
  readonly peerTrack: PeerTrack
}

/** A browser sends a report a second or so; without any it is gone. */
const SILENT_MS = 8_000
const REFRESH_EVERY_MS = 1_000
/** A keyframe that comes by itself this soon is better than all of the last group again. */
const SOON_MS = 500

export function createViewer({ hubStream, tracks, onEnd, turns, now }: ViewerOptions): Viewer {
  const outgoing = new Map<number, OutgoingTrack>()
  let lastSeenAtMs = now()
  let lastRefreshAtMs = 0
  /** Of the group that was sent again, what the stream has not brought since: until then it is not sent once more. */
  let refreshedBytes = 0
  let isWaitingForKeyframe = true
  let isStarted = false
  let detach = () => {}
  const queue = createPacedQueue((frame, timestamp) => send(frame, timestamp), turns)

  for (const { track, payloadType, ssrc, peerTrack } of tracks) {
    const out = createOutgoingTrack({ payloadType, ssrc, transmit: (data) => peerTrack.send(data), turns, now })
    outgoing.set(track, out)
    peerTrack.onMessage((data) => onFeedback(out, data))
  }
  const video = tracks.map(({ track }) => track).find((track) => isVideoTrack(hubStream.tracks[track]!))

  function send(frame: Frame, timestamp: number): void {
    const out = outgoing.get(frame.track)!
    const isFirst = out.lastTimestamp === undefined
    for (const packet of frame.packets) out.send(packet, timestamp)
    // Without a report sound and picture can't be brought together, so one comes with the first of each.
    if (isFirst) report(frame.track)
  }

  function onFeedback(out: OutgoingTrack, data: Buffer): void {
    lastSeenAtMs = now()
    const { lost, wantsKeyframe, saysGoodbye } = parseFeedback(data)
    if (saysGoodbye) return onEnd('the viewer said goodbye')
    if (lost.length > 0) out.resend(lost)
    if (wantsKeyframe) refresh()
  }

  /** A camera can't be asked for a keyframe, but the last one is here. */
  function refresh(): void {
    const nowMs = now()
    const isSoon = (hubStream.nextKeyframeAtMs ?? Infinity) - nowMs < SOON_MS
    if (!isStarted || !queue.isEmpty || isSoon || nowMs - lastRefreshAtMs < REFRESH_EVERY_MS) return
    // A group may be of megabytes, and a request is of twelve bytes.
    if (refreshedBytes > 0) return
    lastRefreshAtMs = nowMs
    refreshedBytes = hubStream.group().reduce((sum, { bytes }) => sum + bytes, 0)
    catchUp()
  }

  function catchUp(): void {
    const group = hubStream.group()
    if (group.length === 0) return
    isWaitingForKeyframe = false
    const last = group.at(-1)!.timestamp
    // Old pictures are shown at once, not at their time, which is past: a tick apart, up to now. Were they dated as
    // they were taken, browsers would stay that far behind. What was sent before must not be dated later, though.
    const sent = video === undefined ? undefined : outgoing.get(video)!.lastTimestamp
    const end = sent !== undefined && timestampStep(sent, last) <= 0 ? sent + group.length : last
    for (const [index, frame] of group.entries()) queue.push(frame, (end - (group.length - 1 - index)) >>> 0)
  }

  function report(track: number): void {
    const out = outgoing.get(track)!
    const timestamp = out.lastTimestamp
    const wallClockMs = timestamp === undefined ? undefined : hubStream.wallClockOf(track, timestamp)
    const data = wallClockMs === undefined ? undefined : out.report(wallClockMs, timestamp!)
    if (data) tracks.find((one) => one.track === track)!.peerTrack.send(data)
  }

  return {
    start() {
      if (isStarted) return
      isStarted = true
      lastRefreshAtMs = now()
      if (video === undefined) isWaitingForKeyframe = false
      else catchUp()
      detach = hubStream.attach({
        frame(frame) {
          if (!outgoing.has(frame.track)) return
          if (frame.track !== video) return send(frame, frame.timestamp)
          if (frame.isKeyframe) isWaitingForKeyframe = false
          refreshedBytes = frame.isKeyframe ? 0 : refreshedBytes - frame.bytes
          if (isWaitingForKeyframe) return
          // A viewer who can't be served fast enough goes on with the next keyframe.
          if (!queue.push(frame, frame.timestamp)) isWaitingForKeyframe = true
        },
        end: onEnd,
      })
    },
    tick(nowMs) {
      for (const { track } of tracks) report(track)
      return isStarted && nowMs - lastSeenAtMs > SILENT_MS ? 'nothing was heard of the viewer' : undefined
    },
    close() {
      detach()
      queue.clear()
      for (const out of outgoing.values()) out.close()
    },
  }
}
