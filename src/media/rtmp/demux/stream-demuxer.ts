import { type ProtocolLog } from '../../protocol-server.ts'
import { type Publication } from '../../publication.ts'
import { type AmfObject } from '../wire/amf0.ts'
import { parseVideoTag, type VideoTag } from '../wire/flv-video.ts'
import { RtmpProtocolError } from '../wire/message.ts'
import { createArrivalClock } from './arrival-clock.ts'
import { parseAudioTag } from '../wire/flv-audio.ts'
import { createMessageClock } from './message-clock.ts'
import { type AnnouncedTracks, readAnnouncedTracks } from './metadata.ts'
import { type Frame, isCarriableAudio, startStreamWriter, type StreamWriter } from './stream-writer.ts'
import { createVideoDemuxer, type VideoDemuxer } from './video-demuxer.ts'
import { createWaitingFrames } from './waiting-frames.ts'

/** Turns the messages of a publisher into RTP for the hub. */
export interface StreamDemuxer {
  metadata(values: AmfObject): void
  /** Throws `RtmpProtocolError` when the stream can't go on as the one that it was, `TooManyPartsError` of one picture. */
  video(tag: Buffer, timestampMs: number, arrivedAtMs: number): void
  audio(tag: Buffer, timestampMs: number, arrivedAtMs: number): void
}

export interface StreamDemuxerOptions {
  readonly publication: Pick<Publication, 'path' | 'start' | 'write' | 'report'>
  readonly log: ProtocolLog
  /** Called with each message of such video, in the place of a line in the log. What it throws, `video` throws. */
  readonly onUnsupportedVideo?: (codec: string) => void
}

export function createStreamDemuxer({ publication, log, onUnsupportedVideo }: StreamDemuxerOptions): StreamDemuxer {
  const messageClock = createMessageClock()
  const arrivalClock = createArrivalClock()
  const waiting = createWaitingFrames()
  const complaints = new Set<string>()
  let announced: AnnouncedTracks | undefined
  let video: VideoDemuxer | undefined
  let audioConfiguration: Buffer | undefined
  /** Once the stream has begun. */
  let writer: StreamWriter | undefined

  return {
    metadata: (values) => void (announced = readAnnouncedTracks(values)),
    video(data, timestampMs, arrivedAtMs) {
      const tag = parseVideoTag(data)
      if (tag.kind === 'unsupported') return leaveOutVideo(tag.what)
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
      if (writer && !writer.hasAudio) return complainOnce('Audio is left out: it began after the stream had.')
      if (!audioConfiguration) return
      const presentationMs = messageClock.place('audio', timestampMs, arrivedAtMs)
      accept({ kind: 'audio', unit: tag.data, presentationMs, arrivedAtMs }, data.length)
    },
  }

  function leaveOutVideo(codec: string): void {
    if (onUnsupportedVideo) onUnsupportedVideo(codec)
    else complainOnce(`${codec} can't be taken; send H.264 or H.265.`)
  }

  function demuxerFor({ codec }: Extract<VideoTag, { codec: unknown }>): VideoDemuxer {
    // Readers got the description of the stream when they began; only a new stream has a new one.
    if (writer && !writer.hasVideo)
      throw new RtmpProtocolError('Video began long after the audio; the stream has to begin anew.')
    if (writer && video?.format.codec !== codec) {
      throw new RtmpProtocolError('The video codec changed in mid-stream; the stream has to begin anew.')
    }
    if (video?.format.codec !== codec) video = createVideoDemuxer(codec)
    return video
  }

  function configureAudio(configuration: Buffer): void {
    if (!writer) {
      audioConfiguration = isCarriableAudio(configuration) ? Buffer.from(configuration) : undefined
    } else if (audioConfiguration && !audioConfiguration.equals(configuration)) {
      audioConfiguration = undefined
      complainOnce('Audio is left out from here on: its configuration changed in mid-stream.')
    }
  }

  function accept(frame: Frame, bytes: number): void {
    arrivalClock.observe(frame.presentationMs, frame.arrivedAtMs)
    if (writer) return writer.write(frame)
    waiting.add(frame, bytes)
    const isReady = isTimeToStart({
      hasVideo: video !== undefined && video.parameterSets.length > 0,
      hasAudio: audioConfiguration !== undefined,
      announced,
      waitedMs: waiting.spanMs,
    })
    if (isReady || waiting.isFull) start()
  }

  function start(): void {
    writer = startStreamWriter({ publication, arrivalClock, video, audioConfiguration })
    for (const frame of waiting.drain()) writer.write(frame)
  }

  function complainOnce(sentence: string): void {
    if (complaints.has(sentence) || complaints.size >= 10) return
    complaints.add(sentence)
    log.warn({ path: publication.path }, sentence)
  }
}

/** What is known of a publisher that has not begun yet. */
interface KnownSoFar {
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  /** What the metadata says; undefined while none came. */
  readonly announced: { readonly video: boolean; readonly audio: boolean } | undefined
  /** Since the first frame. */
  readonly waitedMs: number
}

/** Real drones announce audio that never arrives. */
const MAX_WAIT_FOR_AUDIO_MS = 1000
/** Audio alone is of little use here, so video is given more time. */
const MAX_WAIT_FOR_VIDEO_MS = 10_000

/** Whether to begin with the tracks that are there. Asked with every frame; a stream can't get more tracks later. */
export function isTimeToStart({ hasVideo, hasAudio, announced, waitedMs }: KnownSoFar): boolean {
  if (hasVideo && hasAudio) return true
  if (hasVideo) return announced?.audio === false || waitedMs >= MAX_WAIT_FOR_AUDIO_MS
  if (hasAudio) return waitedMs >= (announced?.video === false ? MAX_WAIT_FOR_AUDIO_MS : MAX_WAIT_FOR_VIDEO_MS)
  return false
}
