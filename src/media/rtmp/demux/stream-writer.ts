import { randomInt } from 'node:crypto'
import { createAacPacketizer } from '../../rtp/aac-packetizer.ts'
import { describeAacTrack, readAacFormat } from '../../rtp/aac-track.ts'
import { type Publication } from '../../publication.ts'
import { type MediaTrack } from '../../stream.ts'
import { type ArrivalClock } from './arrival-clock.ts'
import { createReporter, type TrackTime } from './reporter.ts'
import { type VideoDemuxer } from './video-demuxer.ts'

/** What a message of a publisher carried: one picture, or one frame of sound. */
export type Frame = { readonly presentationMs: number; readonly arrivedAtMs: number } & (
  { readonly kind: 'video'; readonly unit: readonly Buffer[] } | { readonly kind: 'audio'; readonly unit: Buffer }
)

/** Writes the tracks of a stream to the hub as RTP, and reports what wall-clock time they have. */
export interface StreamWriter {
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  /** A frame of a track that the stream does not have is dropped. */
  write(frame: Frame): void
}

export interface StreamWriterOptions {
  readonly publication: Pick<Publication, 'start' | 'write' | 'report'>
  readonly arrivalClock: ArrivalClock
  /** Undefined, or still without parameter sets, where the stream has no video. */
  readonly video: Pick<VideoDemuxer, 'format' | 'parameterSets'> | undefined
  /** An AudioSpecificConfig; undefined where the stream has no audio. */
  readonly audioConfiguration: Buffer | undefined
}

const PAYLOAD_TYPE = { video: 96, audio: 97 } as const

/** Whether audio of this configuration can be carried on. */
export const isCarriableAudio = (configuration: Buffer): boolean => audioTrackOf(configuration) !== undefined

/** Starts the publication: from now on the stream has these tracks and no others. */
export function startStreamWriter(options: StreamWriterOptions): StreamWriter {
  const { publication, arrivalClock, video, audioConfiguration } = options
  const videoTrack =
    video && video.parameterSets.length > 0
      ? video.format.describeTrack(PAYLOAD_TYPE.video, video.parameterSets)
      : undefined
  const audioTrack = audioConfiguration && audioTrackOf(audioConfiguration)
  const tracks = [videoTrack, audioTrack].filter((track) => track !== undefined)
  const times = tracks.map(({ clockRate }, track) => ({ track, clockRate, firstTimestamp: randomInt(2 ** 32) }))
  const timeOf = (track: MediaTrack): TrackTime => times[tracks.indexOf(track)]!
  const reporter = createReporter(publication, arrivalClock, times)
  const videoWriter =
    videoTrack &&
    createTrackWriter({
      publication,
      ...timeOf(videoTrack),
      toTicks: (ms) => Math.round(ms * 90),
      packetize: video!.format.createPacketizer({ payloadType: PAYLOAD_TYPE.video }),
    })
  const audioWriter =
    audioTrack &&
    createTrackWriter({
      publication,
      ...timeOf(audioTrack),
      toTicks: createAudioTicks(audioTrack.clockRate, readAacFormat(audioTrack)!.ticksPerFrame),
      packetize: createAacPacketizer({ payloadType: PAYLOAD_TYPE.audio }),
    })
  publication.start({ tracks })

  return {
    hasVideo: videoWriter !== undefined,
    hasAudio: audioWriter !== undefined,
    write(frame) {
      const { presentationMs, arrivedAtMs } = frame
      reporter.tick(presentationMs, arrivedAtMs)
      if (frame.kind === 'video') videoWriter?.write(frame.unit, presentationMs)
      else audioWriter?.write(frame.unit, presentationMs)
    },
  }
}

function audioTrackOf(configuration: Buffer): MediaTrack | undefined {
  return describeAacTrack(PAYLOAD_TYPE.audio, configuration)
}

/** Writes one track to the hub as RTP. */
interface TrackWriter<Unit> {
  write(unit: Unit, presentationMs: number): void
}

interface TrackWriterOptions<Unit> {
  readonly publication: Pick<Publication, 'write'>
  readonly track: number
  /** RTP time of stream time 0. */
  readonly firstTimestamp: number
  readonly toTicks: (ms: number) => number
  readonly packetize: (unit: Unit, timestamp: number) => Buffer[]
}

function createTrackWriter<Unit>(options: TrackWriterOptions<Unit>): TrackWriter<Unit> {
  const { publication, track, firstTimestamp, toTicks, packetize } = options
  let lastTicks: number | undefined
  return {
    write(unit, presentationMs) {
      let ticks = toTicks(presentationMs)
      // Packets with the same timestamp are one picture, whatever the encoder meant.
      if (ticks === lastTicks) ticks += 1
      lastTicks = ticks
      for (const packet of packetize(unit, (firstTimestamp + ticks) >>> 0)) publication.write(track, packet)
    },
  }
}

/** More than rounding and the jitter of encoders' timers, less than a frame that is missing. */
const AUDIO_TOLERANCE_MS = 15

/**
 * Turns milliseconds into ticks of the audio clock. A frame has a whole number of samples, which milliseconds
 * can't say: as long as both agree to within the tolerance, frames follow each other without gap or overlap.
 */
export function createAudioTicks(clockRate: number, ticksPerFrame: number): (ms: number) => number {
  const toleranceTicks = (clockRate * AUDIO_TOLERANCE_MS) / 1000
  let last: number | undefined
  return (ms) => {
    const said = Math.round((ms * clockRate) / 1000)
    if (last === undefined) return (last = said)
    const follows = last + ticksPerFrame
    last = Math.abs(said - follows) <= toleranceTicks ? follows : Math.max(said, last + 1)
    return last
  }
}
