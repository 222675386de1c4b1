import '../../av/polyfill.ts'
import {
  AV_NOPTS_VALUE,
  AV_PKT_DATA_PRFT,
  AVERROR_EAGAIN,
  AVMEDIA_TYPE_AUDIO,
  avGetPixFmtName,
  avGetCodecName,
  Codec,
  CodecContext,
  Frame,
  type Packet,
  type Stream,
} from 'node-av'
import { type Input, openInput } from '../../av/input.ts'
import { type ProbeReport, type ProbeRequest } from '../messages.ts'
import { toReport, type SeenPacket } from './report.ts'

/** Opens a file or a stream, decodes its first picture, watches it for a while and says what it is. */
export async function look({ input: url, isLive, watchMs, timeoutMs }: ProbeRequest): Promise<ProbeReport> {
  const startedAt = performance.now()
  const input = await openInput(url, { timeoutMs })
  try {
    const openMs = performance.now() - startedAt
    const { video } = input
    if (!video) throw new Error('There is no video in it.')
    const seen = await watch(input, video, { startedAt, watchMs, timeoutMs })
    const audio = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)
    const { codecpar, avgFrameRate } = video
    return toReport({
      isLive,
      container: input.format.iformat?.name ?? 'unknown',
      codec: avGetCodecName(codecpar.codecId) ?? 'unknown',
      width: codecpar.width,
      height: codecpar.height,
      pixelFormat: avGetPixFmtName(codecpar.format as never) ?? 'unknown',
      fpsDeclared: avgFrameRate.num / avgFrameRate.den,
      isReordered: codecpar.videoDelay > 0,
      audioCodec: audio ? (avGetCodecName(audio.codecpar.codecId) ?? 'unknown') : undefined,
      durationSeconds: isLive || input.format.duration <= 0n ? undefined : Number(input.format.duration) / 1e6,
      openMs,
      ...seen,
    })
  } finally {
    await input.close()
  }
}

interface WatchOptions {
  readonly startedAt: number
  readonly watchMs: number
  readonly timeoutMs: number
}

const MAX_PACKETS = 2_000

async function watch(input: Input, video: Stream, { startedAt, watchMs, timeoutMs }: WatchOptions) {
  const packets: SeenPacket[] = []
  const decoder = openDecoder(video)
  const frame = new Frame()
  frame.alloc()
  let firstFrameMs: number | undefined
  let skewMs: number | undefined
  try {
    const { num, den } = video.timeBase
    while (packets.length < MAX_PACKETS) {
      const isEnough = firstFrameMs !== undefined && performance.now() - startedAt > watchMs
      if (isEnough || performance.now() - startedAt > watchMs + timeoutMs) break
      const packet = await input.read()
      if (!packet) break
      if (packet.streamIndex !== video.index) continue
      // Some first packets have no time, which says nothing about the stream.
      if (packet.pts !== AV_NOPTS_VALUE)
        packets.push({ ptsSeconds: (Number(packet.pts) * num) / den, isKeyframe: packet.isKeyframe })
      skewMs = skewOf(packet) ?? skewMs
      if (firstFrameMs === undefined && (await decodes(decoder, packet, frame)))
        firstFrameMs = performance.now() - startedAt
    }
    return { packets, firstFrameMs, skewMs }
  } finally {
    frame.free()
    decoder.freeContext()
  }
}

function openDecoder(video: Stream): CodecContext {
  const codec = Codec.findDecoder(video.codecpar.codecId)
  if (!codec) throw new Error('Its video codec is not known here.')
  const decoder = new CodecContext()
  decoder.allocContext3(codec)
  decoder.parametersToContext(video.codecpar)
  decoder.open2Sync(codec, null)
  return decoder
}

async function decodes(decoder: CodecContext, packet: Packet, frame: Frame): Promise<boolean> {
  const sent = await decoder.sendPacket(packet)
  if (sent < 0 && sent !== AVERROR_EAGAIN) return false
  return (await decoder.receiveFrame(frame)) >= 0
}

/** How late this packet is against the sender's wall clock, which RTCP brought (AVProducerReferenceTime: µs since 1970). */
function skewOf(packet: Packet): number | undefined {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  if (!reference || reference.length < 8) return undefined
  return Date.now() - Number(reference.readBigInt64LE(0)) / 1000
}
