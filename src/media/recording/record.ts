import '../../av/polyfill.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_PKT_DATA_PRFT,
  AVMEDIA_TYPE_AUDIO,
  AV_NOPTS_VALUE,
  avGetCodecName,
  type Packet,
  type Stream,
} from 'node-av'
import { type Input, openInput } from '../../av/input.ts'
import { type FromRecorder, type OpenedVideo, type RecordRequest } from '../messages.ts'
import { openSegmentFile, type SegmentFile } from './segment-file.ts'
import { isSegmentFull } from './segment-length.ts'
import { createStreamClock, MAX_AHEAD_MS, type StreamClock } from './stream-clock.ts'

/** What MP4 players understand; other audio is left out rather than made unplayable. */
const AUDIO_CODECS: readonly number[] = [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS]

const STALL_MS = 10_000
const TELL_GROWTH_EVERY_MS = 10_000
/** Longer ago the keyframe is not believed to be with which a reader begins. */
const MAX_OPENING_MS = 60_000
/** A sender's clock that differs by more than this is not believed. */
const MAX_SKEW_MS = 60_000

/** Copies a stream into files, each beginning with a keyframe, until the stream ends or `signal` aborts. */
export async function record(
  { url, folder, segmentSeconds, liveForMs }: RecordRequest,
  signal: AbortSignal,
  tell: (message: FromRecorder) => void,
): Promise<void> {
  const clock = createStreamClock(Math.min(liveForMs, MAX_OPENING_MS), () => performance.now())
  const input = await openInput(url, { timeoutMs: STALL_MS })
  signal.addEventListener('abort', () => input.interrupt())
  if (signal.aborted) return input.close()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let segment: SegmentFile | undefined
  let toldGrowthAt = 0
  let segmentOpenedAt = 0

  function endSegment(): void {
    const ended = segment
    segment = undefined
    if (!ended) return
    ended.close()
    tell({ type: 'segment-ended', file: ended.file, durationMs: ended.durationMs, sizeBytes: ended.sizeBytes })
  }

  function startSegment(packet: Packet): void {
    endSegment()
    const startedAtMs = timeOf(packet)
    // The same keyframe may be replayed to the next worker: the name must still be another.
    segment = openSegmentFile(join(folder, `${startedAtMs}-${process.pid}.mp4`), recordedStreams(input))
    segmentOpenedAt = performance.now()
    clock.beginSegment()
    tell({ type: 'segment-started', file: segment.file, startedAtMs })
    toldGrowthAt = Date.now()
  }

  try {
    if (!input.video) throw new Error('There is no video in the stream.')
    tell({ type: 'opened', video: describe(input.video) })
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) break
      const isVideo = packet.streamIndex === input.video.index
      const length = segment && { streamMs: segment.durationMs, passedMs: performance.now() - segmentOpenedAt }
      const isFull = !length || isSegmentFull(length, segmentSeconds)
      if (isVideo && packet.isKeyframe && isFull) startSegment(packet)
      const stream = input.streams[packet.streamIndex]
      if (!segment || !stream) continue
      setRight(packet, stream, clock)
      segment.write(packet, stream)
      if (Date.now() - toldGrowthAt < TELL_GROWTH_EVERY_MS) continue
      toldGrowthAt = Date.now()
      tell({ type: 'segment-grown', file: segment.file, sizeBytes: segment.sizeBytes })
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

/** Times that our clock contradicts would make a file of hours, or one of every keyframe. */
function setRight(packet: Packet, { index, timeBase: { num, den } }: Stream, clock: StreamClock): void {
  const pts = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
  if (pts === AV_NOPTS_VALUE) return
  const toTicks = (ms: number) => BigInt(Math.round((ms * den) / num / 1000))
  const shift = toTicks(clock.shiftOf(index, (Number(pts) * num * 1000) / den))
  if (packet.pts !== AV_NOPTS_VALUE) packet.pts += shift
  if (packet.dts !== AV_NOPTS_VALUE) packet.dts += shift
  if (packet.duration > toTicks(MAX_AHEAD_MS)) packet.duration = toTicks(MAX_AHEAD_MS)
}

/** The sender's wall clock where RTCP brought it; a reader starts with a keyframe that may be older than its arrival. */
function timeOf(packet: Packet): number {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  const now = Date.now()
  if (!reference || reference.length < 8) return now
  const sentAtMs = Math.round(Number(reference.readBigInt64LE(0)) / 1000)
  return Math.abs(now - sentAtMs) < MAX_SKEW_MS ? sentAtMs : now
}
