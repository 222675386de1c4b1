import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AV_CODEC_ID_H264,
  AV_PKT_FLAG_KEY,
  AVMEDIA_TYPE_VIDEO,
  Dictionary,
  FormatContext,
  Packet,
  type Stream,
} from 'node-av'
import { check } from '../../av/check.ts'
import { parseH264Sps } from '../../media/rtp/h264-sps.ts'
import { type CodedPicture, type OnSinkState, type Sink } from './sink.ts'

/** As the encoder counts, so that no two pictures fall together. */
const ticksPerMs = 90
/** Half a second: what a crash may lose. */
const fragmentUs = 500_000

/**
 * Keeps the processed video in a folder: a fragmented MP4 for each worker of the process, named after the moment of its
 * beginning, whole up to half a second before a crash.
 */
export function createRecordingSink(folder: string, onState: OnSinkState): Sink {
  let file: RecordedFile | undefined
  let hasFailed = false

  return {
    write(picture) {
      if (hasFailed || (!file && !picture.isKeyframe)) return
      try {
        if (file && picture.isKeyframe && !file.isOf(picture)) {
          // Another size: an MP4 has only one.
          file.close()
          file = undefined
        }
        if (!file) {
          file = openFile(folder, picture)
          onState('sending', null)
        }
        file.write(picture)
      } catch (error) {
        // A full disk ends the recording, not the process.
        hasFailed = true
        onState('waiting', `The processed video cannot be kept: ${(error as Error).message}.`)
      }
    },
    async close() {
      file?.close()
      file = undefined
    },
  }
}

interface RecordedFile {
  /** Whether this keyframe fits what the file began with. */
  isOf(keyframe: CodedPicture): boolean
  write(picture: CodedPicture): void
  close(): void
}

function openFile(folder: string, first: CodedPicture): RecordedFile {
  mkdirSync(folder, { recursive: true })
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'mp4', join(folder, `${Date.now()}.mp4`)))
  check(output.openOutputSync())
  const stream = describeStream(output, first)
  const options = Dictionary.fromObject({
    movflags: 'empty_moov+default_base_moof',
    frag_duration: fragmentUs,
    flush_packets: 1,
  })
  check(output.writeHeaderSync(options))
  options.free()
  const packet = new Packet()
  packet.alloc()
  const sps = spsOf(first)

  return {
    isOf: (keyframe) => sps === undefined || spsOf(keyframe)?.equals(sps) === true,
    write({ data, ptsMs, isKeyframe }) {
      packet.data = data
      packet.pts = packet.dts = BigInt(Math.round((ptsMs - first.ptsMs) * ticksPerMs))
      packet.flags = isKeyframe ? AV_PKT_FLAG_KEY : packet.flags
      packet.streamIndex = stream.index
      packet.rescaleTs({ num: 1, den: 1000 * ticksPerMs }, stream.timeBase)
      check(output.interleavedWriteFrameSync(packet))
      packet.unref()
    },
    close() {
      output.writeTrailerSync()
      output.closeOutputSync()
      output.freeContext()
      packet.free()
    },
  }
}

function describeStream(output: FormatContext, picture: CodedPicture): Stream {
  const stream = output.newStream(null)
  const sps = spsOf(picture)
  const size = sps && parseH264Sps(sps)
  stream.timeBase = { num: 1, den: 90_000 } as never
  Object.assign(stream.codecpar, {
    codecType: AVMEDIA_TYPE_VIDEO,
    codecId: AV_CODEC_ID_H264,
    width: size?.width ?? 0,
    height: size?.height ?? 0,
    // The muxer makes its own form of the parameter sets from Annex B.
    extradata: picture.data,
  })
  return stream
}

/** The sequence parameter set (NAL unit type 7). */
function spsOf({ nalUnits }: CodedPicture): Buffer | undefined {
  return nalUnits.find((unit) => (unit[0]! & 0x1f) === 7)
}
