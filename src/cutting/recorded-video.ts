import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_NOPTS_VALUE,
  AVERROR_ENOENT,
  AVMEDIA_TYPE_AUDIO,
  avGetCodecName,
  FFmpegError,
  type Packet,
  type Stream,
} from 'node-av'
import { type Input, openInput } from '../av/input.ts'
import { H264_TYPE, h264Type, isH264Idr } from '../media/rtp/h264-nal-unit.ts'
import { type CutFailure, type FileToCut } from './messages.ts'
import { unitsOfSample } from './parameter-set-record.ts'
import { type Sample } from './plan-cut.ts'

/** A file of a recording that is open. */
export interface RecordedVideo extends FileToCut {
  readonly input: Input
  readonly video: Stream
  readonly audio: Stream | undefined
  readonly isH264: boolean
  /** What has another one can't be in one file with it. */
  readonly format: string
}

/** Why a clip cannot be cut. The message is a sentence for its user. */
export class CutError extends Error {
  override readonly name = 'CutError'
  readonly reason: CutFailure
  constructor(reason: CutFailure, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.reason = reason
  }
}

const READ_TIMEOUT_MS = 10_000
/** As recordings have it. */
const AUDIO_CODECS: readonly number[] = [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS]

/** Undefined where nothing of it can be read: what was recorded in the moment of a crash may be so. */
export async function openRecordedVideo(file: FileToCut): Promise<RecordedVideo | undefined> {
  const input = await openInput(file.path, { timeoutMs: READ_TIMEOUT_MS }).catch((error: unknown) => {
    if (!(error instanceof FFmpegError)) throw error
    if (error.code === AVERROR_ENOENT)
      throw new CutError('gone', 'A recording that it is of was removed.', { cause: error })
    return undefined
  })
  if (!input?.video) {
    await input?.close()
    return undefined
  }
  const { video, streams } = input
  const audio = streams.find(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO && AUDIO_CODECS.includes(codecpar.codecId),
  )
  return {
    ...file,
    input,
    video,
    audio,
    isH264: video.codecpar.codecId === AV_CODEC_ID_H264,
    format: [formatOf(video), audio ? formatOf(audio) : ''].join(),
  }
}

function formatOf({ codecpar }: Stream): string {
  const { codecId, width, height, sampleRate, channels, extradata } = codecpar
  return [codecId, width, height, sampleRate, channels, extradata?.toString('base64') ?? ''].join(' ')
}

export const codecNameOf = ({ video }: RecordedVideo) => avGetCodecName(video.codecpar.codecId) ?? 'unknown'

/** When a packet is shown or heard, in milliseconds from the beginning of the file; undefined where that is not said. */
export function shownMs({ pts, dts }: Packet, { timeBase: { num, den } }: Stream): number | undefined {
  const ticks = pts === AV_NOPTS_VALUE ? dts : pts
  return ticks === AV_NOPTS_VALUE ? undefined : (Number(ticks) * num * 1000) / den
}

export interface Scan {
  readonly samples: readonly Sample[]
  /** Behind the last picture. */
  readonly endMs: number
  /** Parameter sets that came between the pictures. */
  readonly sets: readonly Buffer[]
}

/** What pictures a file has. It is read to its end, and is to be opened anew. */
export async function scanVideo({ input, video, isH264 }: RecordedVideo): Promise<Scan> {
  const samples: Sample[] = []
  const sets = new Map<string, Buffer>()
  let endMs = 0
  for (let packet = await input.read(); packet; packet = await input.read()) {
    const ms = packet.streamIndex === video.index ? shownMs(packet, video) : undefined
    if (ms === undefined) continue
    const { isKeyframe } = packet
    const units = isH264 && isKeyframe ? unitsOfSample(packet.data ?? Buffer.alloc(0)) : []
    for (const unit of units)
      if (h264Type(unit) === H264_TYPE.sps || h264Type(unit) === H264_TYPE.pps)
        sets.set(unit.toString('base64'), Buffer.from(unit))
    samples.push({ ms, isKeyframe, isClosed: isKeyframe && units.some(isH264Idr) })
    endMs = Math.max(endMs, ms + durationMs(packet, video))
  }
  return { samples, endMs, sets: [...sets.values()] }
}

export function durationMs({ duration }: Packet, { timeBase: { num, den } }: Stream): number {
  return (Number(duration) * num * 1000) / den
}
