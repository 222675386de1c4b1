import { type AmfObject } from '../wire/amf0.ts'
import { readAacFormat } from '../../rtp/aac-track.ts'
import { type MediaPacket, type MediaTrack, type SenderReport, type StreamDescription } from '../../stream.ts'
import { createAudioLane } from './audio-lane.ts'
import { type ChunkedPayload, type MediaMessage } from './media-message.ts'
import { audioOffsetMs, createTrackOrigin, type TrackOrigin } from './track-origin.ts'
import { createVideoLane, type Lane } from './video-lane.ts'

/**
 * Turns a stream's RTP packets into messages, once for all readers: what a packet completes is remembered as long as
 * the hub keeps the packet, so a reader who comes later gets the very same messages from the hub's last keyframe on.
 */
export interface StreamMuxer {
  readonly hasVideo: boolean
  readonly metadata: AmfObject
  readonly videoConfiguration: ChunkedPayload | undefined
  readonly audioConfiguration: ChunkedPayload | undefined
  messagesFor(packet: MediaPacket): readonly MediaMessage[]
  report(report: SenderReport): void
}

const MAX_WAVER_MS = 20
const NO_MESSAGES: readonly MediaMessage[] = []

/** Undefined when there is nothing in the stream that RTMP can carry. */
export function createStreamMuxer({ tracks }: StreamDescription): StreamMuxer | undefined {
  const videoIndex = tracks.findIndex(isVideo)
  const audioIndex = tracks.findIndex((track) => track.codec === 'aac' && readAacFormat(track))
  if (videoIndex < 0 && audioIndex < 0) return undefined

  const lanes = new Map<number, { lane: Lane; origin: TrackOrigin }>()
  const videoTrack = tracks[videoIndex]
  const audioTrack = tracks[audioIndex]
  const video =
    videoTrack && isVideo(videoTrack) ? open(videoIndex, videoTrack, createVideoLane(videoTrack)) : undefined
  const audio =
    audioTrack && open(audioIndex, audioTrack, createAudioLane(audioTrack, readAacFormat(audioTrack)!, offsetMs))
  let currentOffsetMs: number | undefined
  const memory = new WeakMap<MediaPacket, readonly MediaMessage[]>()

  return {
    hasVideo: video !== undefined,
    metadata: { ...video?.lane.metadata, ...audio?.lane.metadata },
    get videoConfiguration() {
      return video?.lane.configuration
    },
    audioConfiguration: audio?.lane.configuration,
    messagesFor(packet) {
      const known = memory.get(packet)
      if (known) return known
      const entry = lanes.get(packet.track)
      if (!entry) return NO_MESSAGES
      entry.origin.arrived(packet)
      const messages = entry.lane.push(packet)
      memory.set(packet, messages)
      return messages
    },
    report: (report) => lanes.get(report.track)?.origin.reported(report),
  }

  function open(index: number, track: MediaTrack, lane: Lane) {
    const entry = { lane, origin: createTrackOrigin(lane.clock, track.clockRate) }
    lanes.set(index, entry)
    return entry
  }

  /** Reports waver by some milliseconds: only a real change may move the sound. */
  function offsetMs(): number {
    const newest = video && audio ? audioOffsetMs(video.origin, audio.origin) : 0
    if (currentOffsetMs === undefined || Math.abs(newest - currentOffsetMs) > MAX_WAVER_MS) currentOffsetMs = newest
    return currentOffsetMs
  }
}

function isVideo(track: MediaTrack): track is MediaTrack & { codec: 'h264' | 'h265' } {
  return track.codec === 'h264' || track.codec === 'h265'
}
