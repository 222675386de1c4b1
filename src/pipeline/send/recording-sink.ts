import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AV_CODEC_ID_H264, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO, type FormatContext, Packet, type Stream } from 'node-av'
import { check } from '../../av/faults.ts'
import { type FragmentedMp4, openFragmentedMp4 } from '../../av/fragmented-mp4.ts'
import { asSentence } from '../../core/sentences.ts'
import { h264Codec } from '../../media/rtp/h264-codec.ts'
import { findSps, readPictureInfo } from '../../media/rtp/nal-unit-codec.ts'
import { CLOCK_RATE, TICKS_PER_MS } from '../clock-rate.ts'
import { type CodedPicture, type OnSinkState, type Sink } from './sink.ts'

const TRY_AGAIN_MS = 10_000
/** Of video, after which a file has taken some: the muxer holds half a second back. */
const SETTLED_MS = 1_000

/**
 * Keeps the processed video in a folder: a fragmented MP4 for each worker of the process, named after the moment of its
 * beginning, whole up to half a second before a crash. A full disk ends a file, not the process: another is begun once there
 * is room. `now` counts milliseconds evenly.
 */
export function createRecordingSink(folder: string, onState: OnSinkState, now = () => performance.now()): Sink {
  let file: RecordedFile | undefined
  /** Undefined while all is well. */
  let failedAtMs: number | undefined

  function fail(error: unknown, outlook = ''): void {
    failedAtMs = now()
    onState('waiting', `The processed video cannot be kept: ${asSentence((error as Error).message)}${outlook}`)
  }

  function closeFile(): void {
    const closing = file
    file = undefined
    closing?.close()
  }

  /** What failed is known already. */
  function closeQuietly(): void {
    try {
      closeFile()
    } catch {
      // It is released even so.
    }
  }

  function begin(keyframe: CodedPicture): RecordedFile {
    const begun = openFile(folder, keyframe)
    // A full disk often lets a file be opened, so that this alone is no good news.
    if (failedAtMs === undefined) onState('sending', null)
    return begun
  }

  function write(picture: CodedPicture): void {
    // Another size: an MP4 has only one.
    if (file && picture.isKeyframe && !file.isOf(picture)) closeFile()
    file ??= begin(picture)
    file.write(picture)
    if (failedAtMs === undefined || picture.ptsMs - file.firstPtsMs < SETTLED_MS) return
    failedAtMs = undefined
    onState('sending', null)
  }

  return {
    write(picture) {
      const isWaiting = failedAtMs !== undefined && now() - failedAtMs < TRY_AGAIN_MS
      if (!file && (isWaiting || !picture.isKeyframe)) return
      try {
        write(picture)
      } catch (error) {
        fail(error, ' Trying again.')
        closeQuietly()
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
  readonly firstPtsMs: number
  /** Whether this keyframe fits what the file began with. */
  isOf(keyframe: CodedPicture): boolean
  write(picture: CodedPicture): void
  close(): void
}

function openFile(folder: string, first: CodedPicture): RecordedFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${Date.now()}.mp4`)
  const mp4 = openMp4(path, first)
  const { output, streams: stream } = mp4
  const packet = new Packet()
  packet.alloc()
  const sps = findSps(h264Codec, first.nalUnits)

  return {
    firstPtsMs: first.ptsMs,
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
      try {
        mp4.close()
      } finally {
        removeIfEmpty(path)
      }
    },
  }
}

function openMp4(path: string, first: CodedPicture): FragmentedMp4<Stream> {
  try {
    return openFragmentedMp4(path, (output) => addStream(output, first))
  } catch (error) {
    removeIfEmpty(path)
    throw error
  }
}

/** A disk that stays full for long would leave one at each try. */
function removeIfEmpty(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true })
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
