import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, avGetCodecName, avGetPixFmtName, type Stream } from 'node-av'
import { type Input } from '../../av/input.ts'
import { type ProbeReport, type ProbeRequest } from '../messages.ts'
import { createPictureDecoder, type PictureDecoder } from './picture-decoder.ts'
import { MAX_SEEN_PACKETS, type SeenPacket, toReport } from './report.ts'

type WatchOptions = Pick<ProbeRequest, 'watchMs' | 'timeoutMs' | 'maxPicture'>

/** A look at a file that FFmpeg has opened. */
export async function lookAtFile(input: Input, options: WatchOptions, startedAt: number): Promise<ProbeReport> {
  const openMs = performance.now() - startedAt
  const { video } = input
  if (!video) throw new Error('There is no video in it.')
  const { picture, ...seen } = await watch(input, video, options, startedAt)
  const audio = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)
  const { codecpar, avgFrameRate } = video
  return toReport({
    isLive: false,
    container: input.format.iformat?.name ?? 'unknown',
    codec: avGetCodecName(codecpar.codecId) ?? 'unknown',
    width: picture?.width ?? codecpar.width,
    height: picture?.height ?? codecpar.height,
    pixelFormat: picture?.pixelFormat ?? 'unknown',
    fpsDeclared: avgFrameRate.num / avgFrameRate.den,
    isReordered: codecpar.videoDelay > 0 || (picture?.isReordered ?? false),
    audioCodec: audio ? (avGetCodecName(audio.codecpar.codecId) ?? 'unknown') : undefined,
    durationSeconds: input.format.duration <= 0n ? undefined : Number(input.format.duration) / 1e6,
    openMs,
    skewMs: undefined,
    ...seen,
  })
}

async function watch(input: Input, video: Stream, { watchMs, timeoutMs, maxPicture }: WatchOptions, startedAt: number) {
  const packets: SeenPacket[] = []
  const decoder = createPictureDecoder(video.codecpar, maxPicture)
  let firstFrameMs: number | undefined
  try {
    const { num, den } = video.timeBase
    while (packets.length < MAX_SEEN_PACKETS) {
      const isEnough = firstFrameMs !== undefined && performance.now() - startedAt > watchMs
      if (isEnough || performance.now() - startedAt > watchMs + timeoutMs) break
      const packet = await input.read()
      if (!packet) break
      if (packet.streamIndex !== video.index) continue
      // Some first packets have no time, which says nothing about the stream.
      if (packet.pts !== AV_NOPTS_VALUE)
        packets.push({ ptsSeconds: (Number(packet.pts) * num) / den, isKeyframe: packet.isKeyframe })
      await decoder.decode(packet)
      if (decoder.picture) firstFrameMs ??= performance.now() - startedAt
    }
    return { packets, firstFrameMs, picture: describe(decoder) }
  } finally {
    decoder.free()
  }
}

/** What only a decoded picture shows. */
function describe({ picture, context }: PictureDecoder) {
  if (!picture) return undefined
  const { width, height, format } = picture
  return { width, height, pixelFormat: avGetPixFmtName(format as never), isReordered: context.hasBFrames > 0 }
}
