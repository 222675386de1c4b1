import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { AV_NOPTS_VALUE, AVMEDIA_TYPE_VIDEO, type FormatContext, type Packet, type Stream } from 'node-av'
import { addCopiedStream, createMonotonicTimes } from '../../av/copied-stream.ts'
import { check } from '../../av/faults.ts'
import { openFragmentedMp4 } from '../../av/fragmented-mp4.ts'
import { videoCodecOf } from '../../av/video-codec.ts'
import { type FragmentIndex } from '../../core/recorded-time.ts'
import { toFragmentIndex } from '../mp4/fragment-index.ts'
import { walkFragmentsSync } from '../mp4/fragment-walk.ts'
import { createDecodingTimes, reorderedFramesIn } from '../rtp/decoding-times.ts'
import { type IndexedTrack, roomForIndex, writeSegmentIndex } from './segment-index.ts'

/**
 * One file of a recording: MP4 whose fragments are flushed, so that a crash loses at most the last half second and
 * leaves a file that plays. One that is closed begins with an index.
 */
export interface SegmentFile {
  readonly file: string
  readonly durationMs: number
  readonly sizeBytes: number
  /** `stream` is the packet's own. */
  write(packet: Packet, stream: Stream): void
  /** Answers where it can be cut; null where that can't be found out. */
  close(): FragmentIndex | null
}

export function openSegmentFile(file: string, streams: readonly Stream[]): SegmentFile {
  const mp4 = openFragmentedMp4(
    file,
    (output) => new Map(streams.map((stream) => [stream.index, createTrackMuxer(output, stream)])),
  )
  const muxers = mp4.streams
  mp4.target.writeSync(roomForIndex())
  const [video] = streams
  const indexed = { id: 1, timescale: mp4.output.streams[0]!.timeBase.den }
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
      // A file begins with its first picture; what was heard before would put all its times off.
      if (seconds < originSeconds && stream.index !== video?.index) return
      endSeconds = Math.max(endSeconds, seconds + (Number(packet.duration) * num) / den)
      muxer.write(packet, pts, BigInt(Math.round((originSeconds * den) / num)))
    },
    close() {
      mp4.close()
      try {
        return indexFile(file, indexed, this.durationMs)
      } catch {
        // The file is whole, and plays without; it only takes longer to begin.
        return null
      }
    },
  }
}

function indexFile(file: string, track: IndexedTrack, durationMs: number): FragmentIndex | null {
  const descriptor = openSync(file, 'r+')
  try {
    const walk = walkFragmentsSync(descriptor, fstatSync(descriptor).size)
    writeSegmentIndex(descriptor, walk, track, durationMs)
    return toFragmentIndex(walk)
  } finally {
    closeSync(descriptor)
  }
}

function createTrackMuxer(output: FormatContext, input: Stream) {
  const stream = addCopiedStream(output, input)
  const isVideo = input.codecpar.codecType === AVMEDIA_TYPE_VIDEO
  const reorderedFrames = () => reorderedFramesIn(videoCodecOf(input) ?? 'h264', input.codecpar.extradata)
  // No picture is decoded before the file's time begins.
  const times = createMonotonicTimes(isVideo ? createDecodingTimes(reorderedFrames(), -1) : undefined)

  return {
    /** `origin`: the ticks of the stream at which the file's time begins. */
    write(packet: Packet, shownAt: bigint, origin: bigint): void {
      const decodedAt = packet.dts === AV_NOPTS_VALUE ? AV_NOPTS_VALUE : packet.dts - origin
      const { dts, pts } = times.next({ dts: decodedAt, pts: shownAt - origin })
      const copy = packet.clone()
      if (!copy) return
      copy.dts = dts
      copy.pts = pts
      copy.streamIndex = stream.index
      copy.rescaleTs(input.timeBase, stream.timeBase)
      check(output.interleavedWriteFrameSync(copy))
      copy.free()
    },
  }
}
