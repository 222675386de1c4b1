import '../../av/polyfill.ts'
import { statSync } from 'node:fs'
import {
  AV_CODEC_ID_HEVC,
  AV_NOPTS_VALUE,
  AVIO_FLAG_WRITE,
  AVMEDIA_TYPE_VIDEO,
  Dictionary,
  FormatContext,
  IOContext,
  type Packet,
  type Stream,
} from 'node-av'
import { check } from '../../av/check.ts'
import { createDecodingTimes, type DecodingTimes, reorderedFramesIn } from '../rtp/decoding-times.ts'
import { roomForIndex, writeSegmentIndex } from './segment-index.ts'

/**
 * One file of a recording: fragmented MP4 whose fragments are cut by time and flushed, so that a crash loses at
 * most the last half second and leaves a file that plays. One that is closed begins with an index.
 */
export interface SegmentFile {
  readonly file: string
  readonly durationMs: number
  readonly sizeBytes: number
  /** `stream` is the packet's own. */
  write(packet: Packet, stream: Stream): void
  close(): void
}

const FRAGMENT_US = 500_000

export function openSegmentFile(file: string, streams: readonly Stream[]): SegmentFile {
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'mp4', file))
  const target = new IOContext()
  check(target.open2Sync(file, AVIO_FLAG_WRITE))
  output.pb = target
  const muxers = new Map(streams.map((stream) => [stream.index, createTrackMuxer(output, stream)]))
  const options = Dictionary.fromObject({
    movflags: 'empty_moov+default_base_moof',
    frag_duration: FRAGMENT_US,
    flush_packets: 1,
    // Promised audio that never comes must not hold the video back.
    max_interleave_delta: 200_000,
  })
  check(output.writeHeaderSync(options))
  options.free()
  target.writeSync(roomForIndex())
  const indexed = { id: 1, timescale: output.streams[0]!.timeBase.den }
  /** Where the file's time begins, in seconds of the stream's. */
  let originSeconds: number | undefined
  let endSeconds = 0

  return {
    file,
    get durationMs() {
      return originSeconds === undefined ? 0 : Math.max(0, Math.round((endSeconds - originSeconds) * 1000))
    },
    get sizeBytes() {
      return statSync(file).size
    },
    write(packet, stream) {
      const muxer = muxers.get(stream.index)
      if (!muxer) return
      const pts = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
      if (pts === AV_NOPTS_VALUE) return
      const { num, den } = stream.timeBase
      const seconds = (Number(pts) * num) / den
      originSeconds ??= seconds
      endSeconds = Math.max(endSeconds, seconds + (Number(packet.duration) * num) / den)
      muxer.write(packet, pts, BigInt(Math.round((originSeconds * den) / num)))
    },
    close() {
      output.writeTrailerSync()
      check(target.closepSync())
      output.pb = null
      output.freeContext()
      try {
        writeSegmentIndex(file, indexed, this.durationMs)
      } catch {
        // The file is whole, and plays without; it only takes longer to begin.
      }
    },
  }
}

function createTrackMuxer(output: FormatContext, input: Stream) {
  const stream = output.newStream(null)
  input.codecpar.copy(stream.codecpar)
  // MP4 has tags of its own; those of RTSP or FLV would be refused.
  stream.codecpar.codecTag = 0
  stream.timeBase = input.timeBase
  const isVideo = input.codecpar.codecType === AVMEDIA_TYPE_VIDEO
  let order: DecodingTimes | undefined
  let lastDts: bigint | undefined

  /** RTP has no decoding times: those of pictures are made of when they are shown, from the file's beginning on. */
  function decodingTimeOf({ dts }: Packet, pts: bigint, origin: bigint): bigint {
    if (!isVideo) return dts === AV_NOPTS_VALUE ? pts : dts
    order ??= createDecodingTimes(reorderedFramesOf(input), Number(origin) - 1)
    return BigInt(order(Number(pts)))
  }

  return {
    write(packet: Packet, pts: bigint, origin: bigint): void {
      const shifted = pts - origin
      let dts = decodingTimeOf(packet, pts, origin) - origin
      // The muxer wants decoding times that grow; streams from the field do not always have them.
      if (lastDts !== undefined && dts <= lastDts) dts = lastDts + 1n
      lastDts = dts
      const copy = packet.clone()
      if (!copy) return
      copy.pts = shifted < dts ? dts : shifted
      copy.dts = dts
      copy.streamIndex = stream.index
      copy.rescaleTs(input.timeBase, stream.timeBase)
      check(output.interleavedWriteFrameSync(copy))
      copy.free()
    },
  }
}

function reorderedFramesOf({ codecpar: { codecId, extradata } }: Stream): number | undefined {
  return extradata ? reorderedFramesIn(codecId === AV_CODEC_ID_HEVC ? 'h265' : 'h264', extradata) : undefined
}
