import { AVMEDIA_TYPE_VIDEO, CodecParameters, Packet } from 'node-av'
import { VIDEO_CODEC_IDS } from '../../av/video-codec.ts'
import { plausibleSenderTime } from '../../core/clock.ts'
import { joinByStartCodes } from '../../media/rtp/annex-b.ts'
import { NAL_UNIT_CODECS } from '../../media/rtp/nal-unit-codecs.ts'
import { createTimestampUnwrapper } from '../../media/rtp/wrapping-numbers.ts'
import { RtspClientError } from '../../media/rtsp/client/client-error.ts'
import { OWN_SERVER } from '../../media/rtsp/client/connection.ts'
import { type ArrivedUnit } from '../../media/rtsp/client/unit-inbox.ts'
import { readRtspVideo, UnknownVideoCodec } from '../../media/rtsp/client/video-reader.ts'
import { type LiveTimes, type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { type RepeatedUnits } from './repeated-units.ts'
import { type TimeLine } from './time-line.ts'

export interface RtspReaderOptions {
  readonly url: string
  readonly silenceMs: number
  readonly timeLine: TimeLine
  readonly repeatedUnits: RepeatedUnits
  readonly breaksUntil: (timeMs: number) => number
  /** What came before a picture was lost on the way. */
  readonly onLoss: () => void
  readonly signal: AbortSignal
}

/**
 * One reading of a path on our own media server, which begins at once with the last keyframe. It knows each picture's RTP
 * timestamp (by which viewers can be matched with detections), and can be left at any time.
 */
export async function* readRtsp(options: RtspReaderOptions): AsyncGenerator<SourcePart, void, undefined> {
  const { url, silenceMs, timeLine, repeatedUnits, breaksUntil, onLoss, signal } = options
  const packet = new Packet()
  packet.alloc()
  const codecpar = new CodecParameters()
  codecpar.alloc()
  codecpar.codecType = AVMEDIA_TYPE_VIDEO
  let clockRate = 0
  let isKeyUnit = NAL_UNIT_CODECS.h264.isClosedKeyUnit
  let sets: readonly Buffer[] = []
  let unwrap = createTimestampUnwrapper()

  function timesOf(unit: ArrivedUnit, pts: number): LiveTimes {
    const timeMs = timeLine.place((pts * 1000) / clockRate, unit.arrivedMs)
    return {
      takenAtMs: plausibleSenderTime(unit.wallClockMs, unit.arrivedAtMs) ?? unit.arrivedAtMs,
      arrivedMs: unit.arrivedMs,
      timeMs,
      rtpTimestamp: unit.timestamp,
      breaks: breaksUntil(timeMs),
    }
  }

  try {
    for await (const part of readRtspVideo({ url, server: OWN_SERVER, silenceMs, signal })) {
      if (part.kind === 'opened') {
        const { codec, parameterSets = [] } = part.track
        clockRate = part.track.clockRate
        isKeyUnit = NAL_UNIT_CODECS[codec].isClosedKeyUnit
        sets = parameterSets
        unwrap = createTimestampUnwrapper()
        codecpar.codecId = VIDEO_CODEC_IDS[codec]
        timeLine.startStretch()
        repeatedUnits.startReading()
        yield { kind: 'opened', video: { codecpar, timeBase: { num: 1, den: clockRate }, codec }, startedAtMs: null }
        continue
      }
      const { unit } = part
      if (unit.isAfterLoss) onLoss()
      const pts = unwrap(unit.timestamp)
      // The sets of the description stand before the first picture; later ones come in band.
      packet.data = joinByStartCodes([...sets, ...unit.nalUnits])
      sets = []
      packet.pts = BigInt(pts)
      const isKeyframe = unit.nalUnits.some(isKeyUnit)
      yield { kind: 'packet', packet, isKeyframe, times: repeatedUnits.isRepeated(unit) ? null : timesOf(unit, pts) }
      packet.unref()
    }
  } catch (error) {
    throw toFailure(error)
  } finally {
    packet.free()
    codecpar.free()
  }
}

/** What the media server refuses with, in words for those who have started the process. */
function toFailure(error: unknown): unknown {
  if (error instanceof UnknownVideoCodec) return new PipelineError('source-unreadable', error.message)
  if (!(error instanceof RtspClientError)) return error
  switch (error.status) {
    case 404:
      return new Error('Nothing is being published to it now.', { cause: error })
    case 415:
      return new PipelineError('source-unreadable', error.phrase, { cause: error })
    // It is a camera that the media server calls itself.
    case 502:
      return new Error(error.phrase, { cause: error })
    default:
      return error
  }
}
