import '../av/polyfill.ts'
import { statSync } from 'node:fs'
import {
  AV_CODEC_ID_H264,
  AV_PKT_FLAG_KEY,
  AVIO_FLAG_WRITE,
  Dictionary,
  FormatContext,
  IOContext,
  Packet,
  type Stream,
} from 'node-av'
import { addCopiedStream, createMonotonicTimes } from '../av/copied-stream.ts'
import { check } from '../av/faults.ts'
import { createDecodingTimes } from '../media/rtp/decoding-times.ts'
import { CLOCK_RATE, TICKS_PER_MS } from '../pipeline/clock-rate.ts'

/** One file of a clip, as everybody plays it: the index at its beginning, no fragments. */
export interface PartFile {
  /** In the order of decoding. `ticks` (90 kHz) from the beginning of the part. */
  writeVideo(data: Buffer, ticks: number, durationTicks: number, isKeyframe: boolean): void
  /** `placeMs` is where the beginning of its file is in the part. */
  writeAudio(packet: Packet, from: Stream, placeMs: number): void
  /** Answers its size. Throws when the last bytes cannot be written; all is released even so. */
  close(): Promise<number>
  /** Releases all without finishing it. */
  abandon(): void
}

export interface PartFormat {
  readonly video: Stream
  readonly audio: Stream | undefined
  /** Parameter sets as `avcC`, of H.264. */
  readonly record: Buffer
  readonly width: number
  readonly height: number
  /** How many pictures may be decoded before one and shown after it. */
  readonly reorderedFrames: number
}

export function openPartFile(file: string, format: PartFormat): PartFile {
  const output = new FormatContext()
  const target = new IOContext()
  const packet = new Packet()
  packet.alloc()
  let isReleased = false

  /** Closing flushes, and may find the disk full: its result is FFmpeg's. */
  function release(): number {
    if (isReleased) return 0
    isReleased = true
    let result = 0
    if (output.pb) {
      result = target.closepSync()
      output.pb = null
    }
    output.freeContext()
    packet.free()
    return result
  }

  try {
    check(output.allocOutputContext2(null, 'mp4', file))
    check(target.open2Sync(file, AVIO_FLAG_WRITE))
    output.pb = target
    const video = addVideo(output, format)
    const audio = format.audio && addCopiedStream(output, format.audio)
    writeHeader(output)
    const decodingTimes = createDecodingTimes(format.reorderedFrames)
    const videoTimes = createMonotonicTimes(decodingTimes)
    const audioTimes = createMonotonicTimes()

    return {
      writeVideo(data, ticks, durationTicks, isKeyframe) {
        const { dts, pts } = videoTimes.next({ dts: BigInt(ticks), pts: BigInt(ticks) })
        packet.data = data
        Object.assign(packet, { dts, pts, duration: BigInt(durationTicks), streamIndex: video.index })
        if (isKeyframe) packet.flags = AV_PKT_FLAG_KEY
        packet.rescaleTs({ num: 1, den: CLOCK_RATE }, video.timeBase)
        check(output.interleavedWriteFrameSync(packet))
        packet.unref()
      },
      writeAudio(heard, from, placeMs) {
        if (!audio) return
        const copy = heard.clone()
        if (!copy) return
        const { num, den } = from.timeBase
        const place = BigInt(Math.round((placeMs * den) / num / 1000))
        const { dts, pts } = audioTimes.next({ dts: heard.dts + place, pts: heard.pts + place })
        Object.assign(copy, { dts, pts, streamIndex: audio.index })
        copy.rescaleTs(from.timeBase, audio.timeBase)
        const result = output.interleavedWriteFrameSync(copy)
        copy.free()
        check(result)
      },
      async close() {
        try {
          // The index moves to the beginning, and with it the whole file.
          check(await output.writeTrailer())
        } catch (error) {
          release()
          throw error
        }
        check(release())
        return statSync(file).size
      },
      abandon: () => void release(),
    }
  } catch (error) {
    release()
    throw error
  }
}

function addVideo(output: FormatContext, { video, record, width, height }: PartFormat): Stream {
  const stream = output.newStream(null)
  video.codecpar.copy(stream.codecpar)
  Object.assign(stream.codecpar, { codecId: AV_CODEC_ID_H264, codecTag: 0, extradata: record, width, height })
  stream.timeBase = { num: 1, den: CLOCK_RATE } as never
  return stream
}

function writeHeader(output: FormatContext): void {
  const options = Dictionary.fromObject({ movflags: '+faststart', brand: 'isom' })
  try {
    check(output.writeHeaderSync(options))
  } finally {
    options.free()
  }
}

export const toTicks = (ms: number) => Math.round(ms * TICKS_PER_MS)
