import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AVMEDIA_TYPE_VIDEO, CodecParameters, Packet } from 'node-av'
import { joinByStartCodes } from '../../media/rtp/annex-b.ts'
import { createTimestampUnwrapper } from '../../media/rtp/timestamp-unwrapper.ts'
import { cameraSentence, RtspClientError } from '../../media/rtsp/client/client-error.ts'
import { type Dial, OWN_SERVER } from '../../media/rtsp/client/connection.ts'
import { type ArrivedUnit } from '../../media/rtsp/client/unit-inbox.ts'
import { readRtspVideo, UnknownVideoCodec } from '../../media/rtsp/client/video-reader.ts'
import { type LiveTimes, type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { type TimeLine } from './time-line.ts'
import { plausible } from './wall-clock.ts'

export interface RtspReaderOptions {
  readonly url: string
  /** Of somebody's camera: what may be dialled. Null for our own media server. */
  readonly dial: Dial | null
  readonly silenceMs: number
  readonly timeLine: TimeLine
  readonly signal: AbortSignal
}

const codecIds = { h264: AV_CODEC_ID_H264, h265: AV_CODEC_ID_HEVC } as const

/**
 * One reading of somebody's camera, or of a path on our own media server, which begins at once with the last keyframe. It
 * knows each picture's RTP timestamp (by which viewers can be matched with detections), and can be left at any time.
 */
export async function* readRtsp(options: RtspReaderOptions): AsyncGenerator<SourcePart, void, undefined> {
  const { url, dial, silenceMs, timeLine, signal } = options
  const packet = new Packet()
  packet.alloc()
  const codecpar = new CodecParameters()
  codecpar.alloc()
  codecpar.codecType = AVMEDIA_TYPE_VIDEO
  let clockRate = 0
  let sets: readonly Buffer[] = []
  let unwrap = createTimestampUnwrapper()

  function timesOf(unit: ArrivedUnit, pts: number): LiveTimes {
    return {
      takenAtMs: plausible(unit.wallClockMs, unit.arrivedAtMs),
      arrivedMs: unit.arrivedMs,
      timeMs: timeLine.place((pts * 1000) / clockRate, unit.arrivedMs),
      rtpTimestamp: unit.timestamp,
    }
  }

  try {
    for await (const part of readRtspVideo({ url, server: dial ? { dial } : OWN_SERVER, silenceMs, signal })) {
      if (part.kind === 'opened') {
        const { codec, parameterSets = [] } = part.track
        clockRate = part.track.clockRate
        sets = parameterSets
        unwrap = createTimestampUnwrapper()
        codecpar.codecId = codecIds[codec]
        timeLine.startStretch()
        yield { kind: 'opened', video: { codecpar, timeBase: { num: 1, den: clockRate }, codec }, startedAtMs: null }
        continue
      }
      const { unit } = part
      const pts = unwrap(unit.timestamp)
      // The sets that the description told stand before the first picture; later ones come in band.
      packet.data = joinByStartCodes([...sets, ...unit.nalUnits])
      sets = []
      packet.pts = BigInt(pts)
      yield { kind: 'packet', packet, times: timesOf(unit, pts) }
      packet.unref()
    }
  } catch (error) {
    throw dial ? cameraFailure(error) : hubFailure(error)
  } finally {
    packet.free()
    codecpar.free()
  }
}

function hubFailure(error: unknown): unknown {
  if (error instanceof UnknownVideoCodec) return new PipelineError('source-unreadable', error.message)
  const isMissing = error instanceof RtspClientError && error.status === 404
  return isMissing ? new Error('Nothing is being published to it now.', { cause: error }) : error
}

function cameraFailure(error: unknown): unknown {
  if (error instanceof UnknownVideoCodec) return new PipelineError('source-unreadable', error.message)
  if (!(error instanceof RtspClientError)) return error
  const sentence = cameraSentence(error)
  return new Error(error.kind === 'no-answer' ? sentence : `It cannot be opened: ${sentence}`, { cause: error })
}
