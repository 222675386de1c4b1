import { isVideoTrack } from '../rtp/nal-unit-codecs.ts'
import { wallClockOf } from '../rtp/sender-clock.ts'
import { OWN_SERVER } from '../rtsp/client/connection.ts'
import { openRtspPlayer, type RtspPlayer } from '../rtsp/client/player.ts'
import { type MediaTrack, type SenderReport } from '../stream.ts'
import { createFrameGroup, type Frame } from './frame.ts'
import { createPictureMaker } from './picture-maker.ts'

/** One stream of the hub, read once for all of its viewers. */
export interface HubStream {
  readonly tracks: readonly MediaTrack[]
  /** Pictures come in another order than they are shown. */
  readonly hasReorderedPictures: boolean
  /** The pictures since the last keyframe. */
  group(): readonly Frame[]
  /** When the next keyframe is due on the steady clock, judged by the last two; undefined while that isn't known. */
  readonly nextKeyframeAtMs: number | undefined
  /** Which wall-clock time a timestamp of a track was, in the camera's clock where it sends reports. */
  wallClockOf(track: number, timestamp: number): number | undefined
  /** Frames as they come; returns how to detach. */
  attach(taker: FrameTaker): () => void
  close(): Promise<void>
}

export interface FrameTaker {
  frame(frame: Frame): void
  end(reason: string): void
}

/** Where the parameter sets don't say whether pictures are reordered, the first ones do. */
const LOOK_MS = 200

export async function openHubStream(url: string, onEnd: () => void): Promise<HubStream> {
  const player = await openRtspPlayer(url, OWN_SERVER)
  try {
    return await createHubStream(player, onEnd)
  } catch (error) {
    await player.close()
    throw error
  }
}

/** Of a player that is open, which is closed with the stream. */
export async function createHubStream(player: RtspPlayer, onEnd: () => void): Promise<HubStream> {
  const { tracks } = player.description
  const takers = new Set<FrameTaker>()
  const group = createFrameGroup()
  const reports = new Map<number, SenderReport>()
  const video = tracks.findIndex(isVideoTrack)
  const videoTrack = tracks.find(isVideoTrack)
  const maker = videoTrack && createPictureMaker(video, videoTrack)
  let keyframeAtMs: number | undefined
  let keyframeEveryMs: number | undefined
  let isEnded = false

  function take(frame: Frame): void {
    if (frame.isKeyframe) noteKeyframe(performance.now())
    // A sender without reports: what has just come is from just now.
    const { track, timestamp } = frame
    if (!reports.has(track)) reports.set(track, { track, timestamp, wallClockMs: Date.now() })
    if (track === video) group.add(frame)
    for (const taker of takers) taker.frame(frame)
  }

  function noteKeyframe(nowMs: number): void {
    if (keyframeAtMs !== undefined) keyframeEveryMs = nowMs - keyframeAtMs
    keyframeAtMs = nowMs
  }

  function end(reason: string): void {
    isEnded = true
    onEnd()
    for (const taker of takers) taker.end(reason)
    takers.clear()
  }

  const wanted = tracks.map(({ codec }, index) => index === video || ['opus', 'pcma', 'pcmu'].includes(codec))
  // A stream of which we can carry nothing is not even asked for.
  if (wanted.includes(true)) {
    await player.start(
      {
        packet(track, data) {
          if (track === video) return maker!.push(data).forEach(take)
          if (data.length < 12 || data.length > MAX_SOUND_BYTES) return
          // What browsers need stands behind the fixed header; of ours only that part is rewritten.
          take({ track, timestamp: data.readUInt32BE(4), packets: [data], bytes: data.length, isKeyframe: false })
        },
        report: (report) => void reports.set(report.track, report),
        end,
      },
      (track) => wanted[track]!,
    )
  }
  if (maker && maker.hasReorderedPictures === undefined) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))

  return {
    tracks,
    get hasReorderedPictures() {
      return maker?.hasReorderedPictures ?? false
    },
    group: () => group.frames(),
    get nextKeyframeAtMs() {
      return keyframeEveryMs === undefined ? undefined : keyframeAtMs! + keyframeEveryMs
    },
    wallClockOf(track, timestamp) {
      const report = reports.get(track)
      return report && wallClockOf(report, timestamp, tracks[track]!.clockRate)
    },
    attach(taker) {
      if (isEnded) taker.end('the stream ended')
      else takers.add(taker)
      return () => void takers.delete(taker)
    },
    close: () => player.close(),
  }
}

/** A packet of sound that no datagram could carry is no sound. */
const MAX_SOUND_BYTES = 1400
