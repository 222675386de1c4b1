import { readAacFormat } from '../../rtp/aac-track.ts'
import { isVideoTrack } from '../../rtp/nal-unit-codecs.ts'
import { type MediaPacket, type MediaTrack, type SenderReport, type StreamDescription } from '../../stream.ts'
import { type AmfObject } from '../wire/amf0.ts'
import { createAudioMuxer } from './audio-muxer.ts'
import { type ChunkedPayload, type MediaMessage, type TrackMuxer } from './media-message.ts'
import { type RtpClock } from './rtp-clock.ts'
import { createVideoMuxer } from './video-muxer.ts'

/**
 * Turns a stream's RTP packets into messages, once for all readers: what a packet completes is remembered as long as
 * the hub keeps the packet, so a later reader gets the very same messages from the hub's last keyframe on.
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
  const videoIndex = tracks.findIndex(isVideoTrack)
  const audioIndex = tracks.findIndex((track) => track.codec === 'aac' && readAacFormat(track))
  if (videoIndex < 0 && audioIndex < 0) return undefined

  const tracksByIndex = new Map<number, { muxer: TrackMuxer; origin: TrackOrigin }>()
  const videoTrack = tracks.find(isVideoTrack)
  const audioTrack = tracks[audioIndex]
  const video = videoTrack && open(videoIndex, videoTrack, createVideoMuxer(videoTrack))
  const audio =
    audioTrack && open(audioIndex, audioTrack, createAudioMuxer(audioTrack, readAacFormat(audioTrack)!, offsetMs))
  let currentOffsetMs: number | undefined
  const memory = new WeakMap<MediaPacket, readonly MediaMessage[]>()

  return {
    hasVideo: video !== undefined,
    metadata: { ...video?.muxer.metadata, ...audio?.muxer.metadata },
    get videoConfiguration() {
      return video?.muxer.configuration
    },
    audioConfiguration: audio?.muxer.configuration,
    messagesFor(packet) {
      const known = memory.get(packet)
      if (known) return known
      const entry = tracksByIndex.get(packet.track)
      if (!entry) return NO_MESSAGES
      entry.origin.arrived(packet)
      const messages = entry.muxer.push(packet)
      memory.set(packet, messages)
      return messages
    },
    report: (report) => tracksByIndex.get(report.track)?.origin.reported(report),
  }

  function open(index: number, track: MediaTrack, muxer: TrackMuxer) {
    const entry = { muxer, origin: createTrackOrigin(muxer.clock, track.clockRate) }
    tracksByIndex.set(index, entry)
    return entry
  }

  /** Reports waver by some milliseconds: only a real change may move the sound. */
  function offsetMs(): number {
    const newest = video && audio ? audioOffsetMs(video.origin, audio.origin) : 0
    if (currentOffsetMs === undefined || Math.abs(newest - currentOffsetMs) > MAX_WAVER_MS) currentOffsetMs = newest
    return currentOffsetMs
  }
}

/** When a track's time 0 was, as far as it is known. */
interface TrackOrigin {
  arrived(packet: MediaPacket): void
  reported(report: SenderReport): void
  readonly byArrivalMs: number | undefined
  readonly byReportMs: number | undefined
}

function createTrackOrigin(clock: RtpClock, clockRate: number): TrackOrigin {
  let byArrivalMs: number | undefined
  let lastReport: SenderReport | undefined
  return {
    arrived: ({ receivedAtMs }) => void (byArrivalMs ??= receivedAtMs),
    reported: (report) => void (lastReport = report),
    get byArrivalMs() {
      return byArrivalMs
    },
    get byReportMs() {
      const ticks = lastReport && clock.ticksOf(lastReport.timestamp)
      return ticks === undefined ? undefined : lastReport!.wallClockMs - (ticks * 1000) / clockRate
    },
  }
}

/**
 * How much later the audio's time began than the video's. Reports are exact, but two clocks must not be mixed: without
 * a report of both, arrival has to do.
 */
function audioOffsetMs(video: TrackOrigin, audio: TrackOrigin): number {
  if (video.byReportMs !== undefined && audio.byReportMs !== undefined) return audio.byReportMs - video.byReportMs
  return (audio.byArrivalMs ?? 0) - (video.byArrivalMs ?? audio.byArrivalMs ?? 0)
}
