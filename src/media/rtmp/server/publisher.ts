import { randomInt } from 'node:crypto'
import { type ProtocolLog } from '../../protocol-server.ts'
import { type Publication } from '../../publication.ts'
import { type AmfObject } from '../wire/amf0.ts'
import { parseVideoTag, type VideoTag } from '../wire/flv-video.ts'
import { RtmpProtocolError } from '../wire/message.ts'
import { readAacFormat, describeAacTrack } from '../../rtp/aac-track.ts'
import { createAacPacketizer } from '../../rtp/aac-packetizer.ts'
import { MAX_PARTS } from '../../rtp/part-limit.ts'
import { type MediaTrack } from '../../stream.ts'
import { createAudioTicks } from './audio-ticks.ts'
import { parseAudioTag } from './flv-audio.ts'
import { type Promises, readPromises } from './metadata.ts'
import { createReporter, type Reporter, type TrackTime } from './reporter.ts'
import { isTimeToStart } from './start-decision.ts'
import { createMessageClock } from './message-clock.ts'
import { createTrackWriter, type TrackWriter } from './track-writer.ts'
import { createVideoDemuxer, type VideoDemuxer } from './video-demuxer.ts'
import { createArrivalClock } from './arrival-clock.ts'

/** Turns the messages of a publisher into RTP for the hub. */
export interface Publisher {
  metadata(values: AmfObject): void
  /** Throws `RtmpProtocolError` when the stream can't go on as the one that it was, `TooManyPartsError` of one picture. */
  video(tag: Buffer, timestampMs: number, arrivedAtMs: number): void
  audio(tag: Buffer, timestampMs: number, arrivedAtMs: number): void
}

type Frame = { readonly presentationMs: number; readonly arrivedAtMs: number } & (
  { readonly kind: 'video'; readonly unit: readonly Buffer[] } | { readonly kind: 'audio'; readonly unit: Buffer }
)

interface Writers {
  readonly reporter: Reporter
  video?: TrackWriter<readonly Buffer[]>
  audio?: TrackWriter<Buffer>
}

const PAYLOAD_TYPE = { video: 96, audio: 97 } as const
/** Frames that wait until it is known what tracks there are; past this the stream begins with those that are known. */
const MAX_WAITING_FRAMES = 500
const MAX_WAITING_BYTES = 8 * 1024 * 1024

export interface PublisherOptions {
  readonly publication: Pick<Publication, 'path' | 'start' | 'write' | 'report'>
  readonly log: ProtocolLog
}

export function createPublisher({ publication, log }: PublisherOptions): Publisher {
  const messageClock = createMessageClock()
  const arrivalClock = createArrivalClock()
  const complaints = new Set<string>()
  let promises: Promises | undefined
  let video: VideoDemuxer | undefined
  let audioConfiguration: Buffer | undefined
  let waiting: Frame[] = []
  let waitingBytes = 0
  let waitingParts = 0
  let writers: Writers | undefined

  return {
    metadata: (values) => void (promises = readPromises(values)),
    video(data, timestampMs, arrivedAtMs) {
      const tag = parseVideoTag(data)
      if (tag.kind === 'unsupported') return complainOnce(`${tag.what} can't be taken; send H.264 or H.265.`)
      if (tag.kind === 'nothing') return
      const demuxer = demuxerFor(tag)
      if (tag.kind === 'configuration') return demuxer.configure(tag.data)
      const picture = demuxer.frame(tag)
      if (!picture || demuxer.parameterSets.length === 0) return
      const decodingMs = messageClock.place('video', timestampMs, arrivedAtMs)
      const presentationMs = decodingMs + picture.compositionMs
      accept({ kind: 'video', unit: picture.nalUnits, presentationMs, arrivedAtMs }, data.length)
    },
    audio(data, timestampMs, arrivedAtMs) {
      const tag = parseAudioTag(data)
      if (tag.kind === 'unsupported') return complainOnce(`${tag.what} is left out; only AAC is carried on.`)
      if (tag.kind === 'nothing') return
      if (tag.kind === 'configuration') return configureAudio(tag.data)
      if (writers && !writers.audio) return complainOnce('Audio is left out: it began after the stream had.')
      if (!audioConfiguration) return
      const presentationMs = messageClock.place('audio', timestampMs, arrivedAtMs)
      accept({ kind: 'audio', unit: tag.data, presentationMs, arrivedAtMs }, data.length)
    },
  }

  function demuxerFor({ codec }: Extract<VideoTag, { codec: unknown }>): VideoDemuxer {
    // Readers were told what there is when they came; a new stream tells them anew.
    if (writers && !writers.video) throw new RtmpProtocolError('Video began long after the audio; publish again.')
    if (writers && video?.format.codec !== codec) {
      throw new RtmpProtocolError('The video codec changed in mid-stream; publish again.')
    }
    if (video?.format.codec !== codec) video = createVideoDemuxer(codec)
    return video
  }

  function configureAudio(configuration: Buffer): void {
    if (!writers) {
      audioConfiguration = describeAacTrack(PAYLOAD_TYPE.audio, configuration) ? Buffer.from(configuration) : undefined
    } else if (audioConfiguration && !audioConfiguration.equals(configuration)) {
      audioConfiguration = undefined
      complainOnce('Audio is left out from here on: its configuration changed in mid-stream.')
    }
  }

  function accept(frame: Frame, bytes: number): void {
    arrivalClock.observe(frame.presentationMs, frame.arrivedAtMs)
    if (writers) return send(frame)
    waiting.push(frame)
    waitingBytes += bytes
    waitingParts += frame.kind === 'video' ? frame.unit.length : 1
    const first = waiting[0]!
    const isReady = isTimeToStart({
      hasVideo: video !== undefined && video.parameterSets.length > 0,
      hasAudio: audioConfiguration !== undefined,
      promises,
      // Files may be sent faster than they play.
      waitedMs: Math.max(frame.arrivedAtMs - first.arrivedAtMs, frame.presentationMs - first.presentationMs),
    })
    const isTooMuch = waiting.length >= MAX_WAITING_FRAMES || waitingBytes >= MAX_WAITING_BYTES
    if (isReady || isTooMuch || waitingParts >= MAX_PARTS) start()
  }

  function start(): void {
    const tracks: MediaTrack[] = []
    const times: TrackTime[] = []
    const open = (track: MediaTrack): TrackTime => {
      const time = { track: tracks.length, clockRate: track.clockRate, firstTimestamp: randomInt(2 ** 32) }
      tracks.push(track)
      times.push(time)
      return time
    }
    const reporter = createReporter(publication, arrivalClock, times)
    writers = { reporter }
    if (video && video.parameterSets.length > 0) {
      writers.video = createTrackWriter({
        publication,
        ...open(video.format.describeTrack(PAYLOAD_TYPE.video, video.parameterSets)),
        toTicks: (ms) => Math.round(ms * 90),
        packetize: video.format.createPacketizer({ payloadType: PAYLOAD_TYPE.video }),
      })
    }
    const audioTrack = audioConfiguration && describeAacTrack(PAYLOAD_TYPE.audio, audioConfiguration)
    if (audioTrack) {
      writers.audio = createTrackWriter({
        publication,
        ...open(audioTrack),
        toTicks: createAudioTicks(audioTrack.clockRate, readAacFormat(audioTrack)!.ticksPerFrame),
        packetize: createAacPacketizer({ payloadType: PAYLOAD_TYPE.audio }),
      })
    }
    publication.start({ tracks })
    for (const frame of waiting) send(frame)
    waiting = []
    waitingBytes = 0
    waitingParts = 0
  }

  function send(frame: Frame): void {
    const { presentationMs, arrivedAtMs } = frame
    writers!.reporter.tick(presentationMs, arrivedAtMs)
    if (frame.kind === 'video') writers!.video?.write(frame.unit, presentationMs)
    else writers!.audio?.write(frame.unit, presentationMs)
  }

  function complainOnce(sentence: string): void {
    if (complaints.has(sentence) || complaints.size >= 10) return
    complaints.add(sentence)
    log.warn({ path: publication.path }, sentence)
  }
}
