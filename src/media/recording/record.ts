import '../../av/polyfill.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AVMEDIA_TYPE_AUDIO,
  AV_NOPTS_VALUE,
  avGetCodecName,
  type Packet,
  type Stream,
} from 'node-av'
import { type Input, openInput } from '../../av/input.ts'
import { sentAtMs } from '../../av/copied-stream.ts'
import { machineSteadyMs } from '../../core/clock.ts'
import { type FromRecorder, type OpenedVideo, type RecordRequest } from '../messages.ts'
import { type ArrivedPicture, createSegmentDates } from './segment-dates.ts'
import { openSegmentFile, type SegmentFile } from './segment-file.ts'
import { MAX_AHEAD_MS } from '../stream-lead.ts'
import { createStreamClock, type StreamClock } from './stream-clock.ts'

/** What MP4 players understand; other audio is left out rather than made unplayable. */
const AUDIO_CODECS: readonly number[] = [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS]

const STALL_MS = 10_000
const GROWTH_REPORT_EVERY_MS = 10_000
/** The keyframe with which a reader begins is not believed to be older than this. */
const MAX_OPENING_MS = 60_000

/** Copies a stream into files, each beginning with a keyframe, until the stream ends or `signal` aborts. */
export async function record(
  { url, folder, segmentSeconds, liveForMs }: RecordRequest,
  signal: AbortSignal,
  send: (message: FromRecorder) => void,
): Promise<void> {
  const clock = createStreamClock(Math.min(liveForMs, MAX_OPENING_MS), () => performance.now())
  const dates = createSegmentDates()
  const input = await openInput(url, { timeoutMs: STALL_MS })
  signal.addEventListener('abort', () => input.interrupt())
  if (signal.aborted) return input.close()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let segment: SegmentFile | undefined
  let growthSentAt = 0
  let segmentOpenedAt = 0

  function endSegment(): void {
    const ended = segment
    segment = undefined
    if (!ended) return
    const index = ended.close()
    const { file, durationMs, sizeBytes } = ended
    send({ type: 'segment-ended', file, startedAtMs: dates.end(), durationMs, sizeBytes, index })
  }

  function startSegment(keyframe: ArrivedPicture): void {
    const startedAtMs = dates.begin(keyframe)
    // The same keyframe may be replayed to the next worker: the name must still be another.
    segment = openSegmentFile(join(folder, `${startedAtMs}-${process.pid}.mp4`), recordedStreams(input))
    segmentOpenedAt = performance.now()
    send({ type: 'segment-started', file: segment.file, startedAtMs, steadyMs: machineSteadyMs() })
    growthSentAt = performance.now()
  }

  try {
    if (!input.video) throw new Error('There is no video in the stream.')
    send({ type: 'opened', video: describe(input.video) })
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) break
      const stream = input.streams[packet.streamIndex]
      if (!stream || ptsOf(packet) === AV_NOPTS_VALUE) continue
      const isVideo = packet.streamIndex === input.video.index
      const length = segment && { streamMs: segment.durationMs, passedMs: performance.now() - segmentOpenedAt }
      const isFull = !length || isSegmentFull(length, segmentSeconds)
      const isFirst = isVideo && packet.isKeyframe && isFull
      if (isFirst) {
        endSegment()
        clock.beginSegment()
      }
      if (!segment && !isFirst) continue
      setRight(packet, stream, clock)
      const picture = isVideo ? arrived(packet, stream) : undefined
      if (isFirst) startSegment(picture!)
      else if (picture) dates.observe(picture)
      segment!.write(packet, stream)
      if (performance.now() - growthSentAt < GROWTH_REPORT_EVERY_MS) continue
      growthSentAt = performance.now()
      send({ type: 'segment-grown', file: segment!.file, sizeBytes: segment!.sizeBytes })
    }
  } finally {
    endSegment()
    await input.close()
  }
}

function describe({ codecpar, avgFrameRate }: Stream): OpenedVideo {
  const fps = avgFrameRate.num / avgFrameRate.den
  return {
    codec: avGetCodecName(codecpar.codecId) ?? 'unknown',
    width: codecpar.width,
    height: codecpar.height,
    fps: Number.isFinite(fps) ? Math.round(fps * 100) / 100 : 0,
    hasBFrames: codecpar.videoDelay > 0,
  }
}

function recordedStreams({ streams, video }: Input): Stream[] {
  const audio = streams.find(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO && AUDIO_CODECS.includes(codecpar.codecId),
  )
  return [video, audio].filter((stream) => stream !== undefined)
}

function ptsOf({ pts, dts }: Packet): bigint {
  return pts === AV_NOPTS_VALUE ? dts : pts
}

/** Times that our clock contradicts would make a file of hours, or one of every keyframe. */
function setRight(packet: Packet, { index, timeBase: { num, den } }: Stream, clock: StreamClock): void {
  const toTicks = (ms: number) => BigInt(Math.round((ms * den) / num / 1000))
  const shift = toTicks(clock.shiftOf(index, (Number(ptsOf(packet)) * num * 1000) / den))
  if (packet.pts !== AV_NOPTS_VALUE) packet.pts += shift
  if (packet.dts !== AV_NOPTS_VALUE) packet.dts += shift
  if (packet.duration > toTicks(MAX_AHEAD_MS)) packet.duration = toTicks(MAX_AHEAD_MS)
}

function arrived(packet: Packet, { timeBase: { num, den } }: Stream): ArrivedPicture {
  return { ptsMs: (Number(ptsOf(packet)) * num * 1000) / den, arrivedAtMs: Date.now(), sentAtMs: sentAtMs(packet) }
}

/** How long the segment that is being written is by now. */
interface SegmentLength {
  /** By the stream's time. */
  readonly streamMs: number
  /** By ours, since it was begun. */
  readonly passedMs: number
}

/** However short segments are to be, and whatever a stream's time says, none is begun sooner after the one before. */
const MIN_SEGMENT_MS = 1_000
/** By our time a segment may be this much longer than it should. */
const CLOCK_SLACK_MS = 5_000

/** Whether the next keyframe begins another segment: by the stream's time, or by ours where that stands still or jumps back. */
export function isSegmentFull({ streamMs, passedMs }: SegmentLength, segmentSeconds: number): boolean {
  if (passedMs < MIN_SEGMENT_MS) return false
  return Math.max(streamMs, passedMs - CLOCK_SLACK_MS) >= segmentSeconds * 1000
}
