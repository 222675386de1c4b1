import '../../av/polyfill.ts'
import { AVMEDIA_TYPE_VIDEO, avGetPixFmtName, CodecParameters, Packet } from 'node-av'
import { VIDEO_CODEC_IDS } from '../../av/video-codec.ts'
import { type PictureLimit } from '../../core/picture-limit.ts'
import { type ProbeReport } from '../messages.ts'
import { joinByStartCodes } from '../rtp/annex-b.ts'
import { NAL_UNIT_CODECS } from '../rtp/nal-unit-codecs.ts'
import { createTimestampUnwrapper } from '../rtp/wrapping-numbers.ts'
import { codecNameOf } from '../rtsp/client/codec-name.ts'
import { type ArrivedUnit } from '../rtsp/client/unit-inbox.ts'
import { type RtspVideoPart } from '../rtsp/client/video-reader.ts'
import { createPictureDecoder } from './picture-decoder.ts'
import { MAX_SEEN_PACKETS, type SeenPacket, toReport } from './report.ts'

/** Sees the pictures of one stream, decodes the first of them, and reports on them all. */
export interface StreamWatch {
  take(unit: ArrivedUnit): Promise<void>
  hasSeenAny(): boolean
  isEnough(watchMs: number): boolean
  report(): ProbeReport
  close(): void
}

export interface StreamWatchOptions {
  /** FFmpeg's name for what carries the stream. */
  readonly container: string
  readonly maxPicture: PictureLimit
  /** When the look began, on the steady clock. */
  readonly startedAt: number
}

export function createStreamWatch(
  { track, description }: Extract<RtspVideoPart, { kind: 'opened' }>,
  { container, maxPicture, startedAt }: StreamWatchOptions,
): StreamWatch {
  const parameters = new CodecParameters()
  parameters.alloc()
  parameters.codecType = AVMEDIA_TYPE_VIDEO
  parameters.codecId = VIDEO_CODEC_IDS[track.codec]
  const decoder = createPictureDecoder(parameters, maxPicture)
  const packet = new Packet()
  packet.alloc()
  const packets: SeenPacket[] = []
  const unwrap = createTimestampUnwrapper()
  const openMs = performance.now() - startedAt
  let sets: readonly Buffer[] = track.parameterSets ?? []
  let firstFrameMs: number | undefined
  let skewMs: number | undefined

  return {
    async take(unit) {
      packets.push({
        ptsSeconds: unwrap(unit.timestamp) / track.clockRate,
        isKeyframe: unit.nalUnits.some(NAL_UNIT_CODECS[track.codec].isKeyUnit),
      })
      if (unit.wallClockMs !== undefined) skewMs = unit.arrivedAtMs - unit.wallClockMs
      if (firstFrameMs !== undefined) return
      packet.data = joinByStartCodes([...sets, ...unit.nalUnits])
      sets = []
      await decoder.decode(packet)
      packet.unref()
      if (decoder.picture) firstFrameMs = performance.now() - startedAt
    },
    hasSeenAny: () => packets.length > 0,
    isEnough: (watchMs) =>
      packets.length >= MAX_SEEN_PACKETS || (firstFrameMs !== undefined && performance.now() - startedAt > watchMs),
    report() {
      const { context, picture } = decoder
      const audio = description.tracks.find(({ kind }) => kind === 'audio')
      return toReport({
        isLive: true,
        container,
        codec: codecNameOf(track),
        width: context.width,
        height: context.height,
        pixelFormat: (picture && avGetPixFmtName(picture.format as never)) ?? 'unknown',
        fpsDeclared: context.framerate.num / context.framerate.den,
        isReordered: context.hasBFrames > 0,
        audioCodec: audio && codecNameOf(audio),
        durationSeconds: undefined,
        openMs,
        firstFrameMs,
        packets,
        skewMs,
      })
    },
    close() {
      packet.free()
      decoder.free()
      parameters.free()
    },
  }
}
