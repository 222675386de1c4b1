import '../../av/polyfill.ts'
import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AVMEDIA_TYPE_VIDEO,
  avGetPixFmtName,
  CodecParameters,
  Packet,
} from 'node-av'
import { type PictureLimit, PictureTooLargeError } from '../../core/picture-limit.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { type ProbeReport, type ProbeRequest } from '../messages.ts'
import { joinByStartCodes } from '../rtp/annex-b.ts'
import { isKeyframeUnit } from '../rtp/keyframe-unit.ts'
import { createTimestampUnwrapper } from '../rtp/timestamp-unwrapper.ts'
import { cameraSentence, RtspClientError } from '../rtsp/client/client-error.ts'
import { codecNameOf } from '../rtsp/client/codec-name.ts'
import { OWN_SERVER } from '../rtsp/client/connection.ts'
import { type ArrivedUnit } from '../rtsp/client/unit-inbox.ts'
import { readRtspVideo, type RtspVideoPart } from '../rtsp/client/video-reader.ts'
import { createPictureDecoder } from './picture-decoder.ts'
import { MAX_SEEN_PACKETS, type SeenPacket, toReport } from './report.ts'

const codecIds = { h264: AV_CODEC_ID_H264, h265: AV_CODEC_ID_HEVC } as const

/** A look at a camera, or at a path of our own media server, by the client that processes read it with. */
export async function lookAtRtsp(request: ProbeRequest): Promise<ProbeReport> {
  const { input: url, outbound, watchMs, timeoutMs, maxPicture } = request
  const dial = (hostname: string, port: number) => dialAddress(hostname, port, outbound!)
  const leaving = new AbortController()
  const deadline = setTimeout(() => leaving.abort(), watchMs + timeoutMs)
  const startedAt = performance.now()
  const reading = { url, server: outbound ? { dial } : OWN_SERVER, silenceMs: timeoutMs, signal: leaving.signal }
  let watch: Watch | undefined
  try {
    for await (const part of readRtspVideo(reading)) {
      if (part.kind === 'unit') await watch!.take(part.unit)
      else {
        watch?.close()
        watch = undefined
        watch = createWatch(part, maxPicture, startedAt)
      }
      if (watch!.isEnough(watchMs)) break
    }
    if (!watch) throw new Error('It took too long to answer: timed out.')
    return watch.report()
  } catch (error) {
    // What has been seen of a stream that then broke off is worth telling.
    if (watch?.hasSeenAny() && !(error instanceof PictureTooLargeError)) return watch.report()
    throw error instanceof RtspClientError ? new Error(cameraSentence(error), { cause: error }) : error
  } finally {
    clearTimeout(deadline)
    watch?.close()
  }
}

interface Watch {
  take(unit: ArrivedUnit): Promise<void>
  hasSeenAny(): boolean
  isEnough(watchMs: number): boolean
  report(): ProbeReport
  close(): void
}

function createWatch(
  { track, description }: Extract<RtspVideoPart, { kind: 'opened' }>,
  maxPicture: PictureLimit,
  startedAt: number,
): Watch {
  const parameters = new CodecParameters()
  parameters.alloc()
  parameters.codecType = AVMEDIA_TYPE_VIDEO
  parameters.codecId = codecIds[track.codec]
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
        isKeyframe: isKeyframeUnit(track.codec, unit),
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
        container: 'rtsp',
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
