import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AV_CODEC_ID_H264, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO, type FormatContext, Packet, type Stream } from 'node-av'
import { check } from '../../av/check.ts'
import { openFragmentedMp4 } from '../../av/fragmented-mp4.ts'
import { h264Codec } from '../../media/rtp/h264-codec.ts'
import { findSps, readPictureInfo } from '../../media/rtp/nal-unit-codec.ts'
import { CLOCK_RATE, TICKS_PER_MS } from '../clock-rate.ts'
import { type CodedPicture, type OnSinkState, type Sink } from './sink.ts'

/**
 * Keeps the processed video in a folder: a fragmented MP4 for each worker of the process, named after the moment of its
 * beginning, whole up to half a second before a crash.
 */
export function createRecordingSink(folder: string, onState: OnSinkState): Sink {
  let file: RecordedFile | undefined
  let hasFailed = false

  /** A full disk ends the recording, not the process. */
  function fail(error: unknown): void {
    hasFailed = true
    onState('waiting', `The processed video cannot be kept: ${(error as Error).message}.`)
  }

  function closeFile(): void {
    const closing = file
    file = undefined
    closing?.close()
  }

  return {
    write(picture) {
      if (hasFailed || (!file && !picture.isKeyframe)) return
      try {
        // Another size: an MP4 has only one.
        if (file && picture.isKeyframe && !file.isOf(picture)) closeFile()
        if (!file) {
          file = openFile(folder, picture)
          onState('sending', null)
        }
        file.write(picture)
      } catch (error) {
        fail(error)
      }
    },
    async close() {
      try {
        closeFile()
      } catch (error) {
        fail(error)
      }
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
  const mp4 = openFragmentedMp4(join(folder, `${Date.now()}.mp4`), (output) => addStream(output, first))
  const { output, streams: stream } = mp4
  const packet = new Packet()
  packet.alloc()
  const sps = findSps(h264Codec, first.nalUnits)

  return {
    isOf: (keyframe) => sps === undefined || findSps(h264Codec, keyframe.nalUnits)?.equals(sps) === true,
    write({ data, ptsMs, isKeyframe }) {
      packet.data = data
      // As the encoder counts, so that no two pictures fall together.
      packet.pts = packet.dts = BigInt(Math.round((ptsMs - first.ptsMs) * TICKS_PER_MS))
      packet.flags = isKeyframe ? AV_PKT_FLAG_KEY : packet.flags
      packet.streamIndex = stream.index
      packet.rescaleTs({ num: 1, den: CLOCK_RATE }, stream.timeBase)
      check(output.interleavedWriteFrameSync(packet))
      packet.unref()
    },
    close() {
      packet.free()
      mp4.close()
    },
  }
}

function addStream(output: FormatContext, picture: CodedPicture): Stream {
  const stream = output.newStream(null)
  const size = readPictureInfo(h264Codec, picture.nalUnits)
  stream.timeBase = { num: 1, den: CLOCK_RATE } as never
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
