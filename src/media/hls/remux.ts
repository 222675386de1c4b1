import '../../av/polyfill.ts'
import { createHash } from 'node:crypto'
import { AV_CODEC_ID_AAC, AV_CODEC_ID_OPUS, AVMEDIA_TYPE_AUDIO, type Packet, type Stream } from 'node-av'
import { createMonotonicTimes, sentAtMs } from '../../av/copied-stream.ts'
import { type Input } from '../../av/input.ts'
import { videoCodecOf } from '../../av/video-codec.ts'
import { createDecodingTimes, reorderedFramesIn } from '../rtp/decoding-times.ts'
import { createClockGuard } from './clock-guard.ts'
import { decideCut } from './cutter.ts'
import { type FragmentMuxer, openFragmentMuxer } from './fragment-muxer.ts'
import { type Variant } from './playlist.ts'
import { createProgramDateTime } from '../program-date-time.ts'
import { type SegmentWindow } from './segment-window.ts'

/** What browsers play in MP4; other sound is left out. */
const AUDIO_CODECS: readonly number[] = [AV_CODEC_ID_AAC, AV_CODEC_ID_OPUS]

/** How much of the picture may come before the first sound; a stream may announce sound that never arrives, and players would wait for it forever. */
const WAIT_FOR_AUDIO_SECONDS = 0.5
const MAX_LOOKAHEAD_PACKETS = 300
const MAX_AUDIO_SILENCE_SECONDS = 4
/** Stream time is counted from here, so that a player goes on when a worker is replaced, as after a publisher's short break. */
const TIME_EPOCH_MS = Date.UTC(2026, 0, 1)
const MAX_DISCONTINUITY = 1_000
/** A clock that jumps further than this begins a new stream. */
const MAX_JUMP_SECONDS = 5

export interface Format extends Omit<Variant, 'bitsPerSecond'> {
  readonly header: Buffer
  /** The same for the same header. Small, because hls.js spends time in proportion to it. */
  readonly discontinuity: number
}

/** Copies what comes into `window`, cut into parts and segments, until the stream ends or `signal` aborts. */
export async function remux(
  input: Input,
  window: SegmentWindow,
  signal: AbortSignal,
  onFormat: (format: Format) => void,
): Promise<void> {
  const { video } = input
  if (!video || !videoCodecOf(video))
    throw new Error('Its video is neither H.264 nor H.265, which is what browsers can play.')
  const { packets, audio } = await lookAhead(input, video, signal)
  if (packets.length === 0) return
  const muxer = await openFragmentMuxer([video, ...(audio ? [audio] : [])])
  const { width, height } = video.codecpar
  onFormat({
    header: muxer.header,
    discontinuity: discontinuityOf(muxer.header),
    codecs: muxer.codecs,
    width,
    height,
    fps: fpsOf(video),
  })
  const copier = createCopier(muxer, window, video, audio)
  try {
    for (const packet of packets.splice(0)) await copier.take(packet)
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) return
      const copy = packet.clone()
      if (copy) await copier.take(copy)
    }
  } finally {
    for (const packet of packets) packet.free()
    copier.close()
    muxer.close()
  }
}

/** Reads from the first keyframe until it is known whether there is sound. */
async function lookAhead(input: Input, video: Stream, signal: AbortSignal) {
  const announced = input.streams.find(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO && AUDIO_CODECS.includes(codecpar.codecId),
  )
  const packets: Packet[] = []
  let audio: Stream | undefined
  let sinceSeconds: number | undefined
  while (!signal.aborted && packets.length < MAX_LOOKAHEAD_PACKETS) {
    const packet = await input.read()
    if (!packet) break
    const isVideo = packet.streamIndex === video.index
    if (isVideo && packet.isKeyframe) sinceSeconds ??= secondsOf(packet.pts, video)
    if (packet.streamIndex === announced?.index) audio = announced
    if (sinceSeconds === undefined) continue
    const copy = packet.clone()
    if (copy) packets.push(copy)
    if (!isVideo) continue
    const isEnough = secondsOf(packet.pts, video) - sinceSeconds >= WAIT_FOR_AUDIO_SECONDS
    if (!announced || audio || isEnough) break
  }
  return { packets, audio }
}

function createCopier(muxer: FragmentMuxer, window: SegmentWindow, video: Stream, audio: Stream | undefined) {
  const programDateTime = createProgramDateTime()
  const clockGuard = createClockGuard()
  const reorderedFrames = reorderedFramesIn(videoCodecOf(video) ?? 'h264', video.codecpar.extradata)
  const videoTimes = createMonotonicTimes(createDecodingTimes(reorderedFrames))
  const audioTimes = createMonotonicTimes()
  /** The last picture waits for the next one, which shows how long it lasts. */
  let held: { packet: Packet; dts: bigint; pts: bigint } | undefined
  let origin: { ticks: bigint; seconds: number } | undefined
  let part = { startedAt: 0, isIndependent: true }
  let segment = { startedAt: 0, ptsSeconds: 0, bytes: 0 }
  let audioAt = 0

  async function takeVideo(packet: Packet): Promise<void> {
    const { dts: rawDts, pts: rawPts } = videoTimes.next(packet)
    origin ??= originOf(rawDts, video)
    const [dts, pts] = [rawDts - origin.ticks, rawPts - origin.ticks]
    programDateTime.observe(secondsOf(pts, video), Date.now(), sentAtMs(packet))
    const now = secondsOf(dts, video)
    if (clockGuard.isAhead(now, performance.now() / 1000)) throw new Error('The stream’s clock runs too fast.')
    if (held) {
      const duration = dts - held.dts
      if (secondsOf(duration, video) > MAX_JUMP_SECONDS) throw new Error('The stream’s clock jumped.')
      if (audio && now - audioAt > MAX_AUDIO_SILENCE_SECONDS) throw new Error('The sound stopped.')
      segment.bytes += held.packet.size
      await muxer.write(held.packet, video, { ...held, duration })
      held.packet.free()
      await cutBefore(now, pts, packet.isKeyframe)
    } else {
      part = { startedAt: now, isIndependent: packet.isKeyframe }
      segment = { startedAt: now, ptsSeconds: secondsOf(pts, video), bytes: 0 }
      audioAt = now
    }
    held = { packet, dts, pts }
  }

  async function cutBefore(now: number, pts: bigint, isKeyframe: boolean): Promise<void> {
    const cut = decideCut({
      partSeconds: now - part.startedAt,
      segmentSeconds: now - segment.startedAt,
      segmentBytes: segment.bytes,
      isKeyframe,
    })
    if (cut === 'none') return
    const data = await muxer.takeFragment()
    const { isIndependent, startedAt } = part
    window.addPart({ seconds: now - startedAt, isIndependent, data }, programDateTime.at(segment.ptsSeconds))
    part = { startedAt: now, isIndependent: isKeyframe }
    if (cut === 'part') return
    window.endSegment()
    segment = { startedAt: now, ptsSeconds: secondsOf(pts, video), bytes: 0 }
  }

  async function takeAudio(packet: Packet, stream: Stream): Promise<void> {
    if (!origin) return packet.free()
    const { num, den } = stream.timeBase
    const { dts, pts } = audioTimes.next(packet)
    const start = BigInt(Math.round((origin.seconds * den) / num))
    // What was heard before the first picture is left out.
    if (dts >= start) {
      audioAt = secondsOf(dts - start, stream)
      segment.bytes += packet.size
      await muxer.write(packet, stream, { dts: dts - start, pts: pts - start, duration: packet.duration })
    }
    packet.free()
  }

  return {
    /** The packet is the copier's from now on. */
    async take(packet: Packet): Promise<void> {
      if (packet.streamIndex === video.index) return takeVideo(packet)
      if (packet.streamIndex === audio?.index) return takeAudio(packet, audio)
      packet.free()
    },
    close: () => held?.packet.free(),
  }
}

/** What is subtracted from a stream's own times. */
function originOf(firstDts: bigint, stream: Stream): { ticks: bigint; seconds: number } {
  const { num, den } = stream.timeBase
  const sinceEpoch = BigInt(Math.round(((Date.now() - TIME_EPOCH_MS) / 1000) * (den / num)))
  const ticks = firstDts - sinceEpoch
  return { ticks, seconds: secondsOf(ticks, stream) }
}

function discontinuityOf(header: Buffer): number {
  return createHash('sha256').update(header).digest().readUInt32BE() % MAX_DISCONTINUITY
}

function secondsOf(ticks: bigint, { timeBase: { num, den } }: Stream): number {
  return (Number(ticks) * num) / den
}

function fpsOf({ avgFrameRate: { num, den } }: Stream): number | undefined {
  const fps = num / den
  return Number.isFinite(fps) && fps > 0 && fps <= 240 ? fps : undefined
}
