import '../av/polyfill.ts'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Detection } from '../core/detection.ts'
import { type PictureLimit, PictureTooLargeError } from '../core/picture-limit.ts'
import { type Input, openInput } from '../av/input.ts'
import { decodeFrames } from '../pipeline/decode/decode-frames.ts'
import { createScaler } from '../pipeline/decode/scaler.ts'
import { createVideoDecoder, type DecoderStats } from '../pipeline/decode/video-decoder.ts'
import { createDetector, type Detector, type DetectorOptions } from '../pipeline/detect/detector.ts'
import { createPictureDetector, type PictureDetector } from '../pipeline/detect/picture-detector.ts'
import { createTilePlanner, type TilePlanner } from '../pipeline/detect/tile-planner.ts'
import { type TileGrid } from '../pipeline/detect/tiles.ts'
import { pictureDemuxerFor, PICTURE_HEADER_LENGTH } from '../pipeline/source/picture-format.ts'
import { unreadableFile } from './output.ts'

export interface FrameDetections {
  /** From 1 on. */
  readonly frame: number
  readonly detections: readonly Detection[]
}

export interface FileDetector {
  /** What is in each frame of a video, or in a picture. Throws a sentence about a file that is damaged, after what could be read. */
  detect(file: string): AsyncGenerator<FrameDetections, void, undefined>
  close(): Promise<void>
}

export interface FileDetectorOptions extends DetectorOptions {
  /** Larger pictures are refused. */
  readonly maxPicture?: PictureLimit
  /** When left out: as the model's card suggests, else the whole picture alone. */
  readonly tiles?: TileGrid | 'auto' | undefined
  /** Called with what `auto` has chosen, why, and what was assumed, whenever it changes. */
  readonly onTiled: (sentence: string) => void
}

export async function createFileDetector({
  tiles: asked,
  onTiled,
  maxPicture,
  ...options
}: FileDetectorOptions): Promise<FileDetector> {
  const detector = await createDetector(options)
  const scaler = createScaler()
  const tiles = asked ?? detector.suggestedTiles ?? { columns: 1, rows: 1 }
  const pictures = createPictureDetector({
    detector,
    scaler,
    tiles: tiles === 'auto' ? plan(detector, onTiled) : tiles,
  })
  return {
    detect: (file) => detectFile(file, pictures, maxPicture),
    async close() {
      await detector.close()
      scaler.close()
    },
  }
}

/** A file has no telemetry, and all the time it needs. */
function plan({ inputSize, trainedSize, wantedDetail, isOnGround }: Detector, onTiled: (sentence: string) => void) {
  const planner = createTilePlanner({
    canvas: inputSize,
    trainedSize,
    wantedDetail,
    isOnGround,
    telemetryAt: () => undefined,
    minFps: null,
  })
  let latest: string | undefined
  return {
    lookAt(...picture: Parameters<TilePlanner['lookAt']>) {
      const looks = planner.lookAt(...picture)
      const { sentence } = planner.tiling!
      if (sentence !== latest) onTiled(sentence)
      latest = sentence
      return looks
    },
  }
}

/** Nothing is waited for that a file has not got. */
const TIMEOUT_MS = 10_000

type Stream = NonNullable<Input['video']>

async function* detectFile(
  file: string,
  pictures: PictureDetector,
  maxPicture: PictureLimit | undefined,
): AsyncGenerator<FrameDetections, void, undefined> {
  const demuxer = pictureDemuxerFor(await readHeader(file))
  // With its whole path, no part of its name is taken for a protocol.
  const input = await openInput(resolve(file), { timeoutMs: TIMEOUT_MS, ...(demuxer && { demuxer }) }).catch(
    (cause: unknown) => {
      throw new Error(
        `${file} is neither a video (mp4, mov, avi) nor a picture (jpg, png, bmp, webp), or is damaged.`,
        {
          cause,
        },
      )
    },
  )
  try {
    if (!input.video) throw new Error(`There is no video in ${file}.`)
    checkComplete(file, input.video, yield* detectFrames(input, input.video, pictures, maxPicture))
  } catch (error) {
    if (!(error instanceof PictureTooLargeError)) throw error
    throw new Error(`${file} is not read: ${error.message}`, { cause: error })
  } finally {
    await input.close()
  }
}

/** The next picture is decoded and drawn while the model looks at the last one. */
async function* detectFrames(
  input: Input,
  video: Stream,
  pictures: PictureDetector,
  maxPicture: PictureLimit | undefined,
): AsyncGenerator<FrameDetections, DecoderStats, undefined> {
  const decoder = createVideoDecoder(video, maxPicture && { limit: maxPicture })
  let before: Promise<FrameDetections> | undefined
  let count = 0
  try {
    for await (const decoded of decodeFrames(input, video, decoder)) {
      const frame = ++count
      const looking = pictures
        .detect(decoded.frame)
        .then((detections) => ({ frame, detections }))
        .finally(() => decoded.release())
      // It may fail while the reader still thinks about an earlier one; it is reported when its turn comes.
      looking.catch(() => undefined)
      const last = before
      before = looking
      if (last) yield await last
    }
    if (before) yield await before
    return decoder.stats
  } finally {
    // A reader that had enough leaves a picture under way.
    await before?.catch(() => undefined)
    decoder.close()
  }
}

async function readHeader(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadableFile(file, error)
  })
  try {
    if ((await handle.stat()).isDirectory()) throw new Error(`${file} is a folder; name the files in it.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PICTURE_HEADER_LENGTH), 0, PICTURE_HEADER_LENGTH, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function checkComplete(file: string, { nbFrames }: Stream, { packets, frames, brokenPackets }: DecoderStats): void {
  if (frames === 0) throw new Error(`No picture in ${file} could be decoded; it is damaged.`)
  if (brokenPackets > 0) throw new Error(`${file} is damaged: ${brokenPackets} of ${packets} pictures were left out.`)
  if (packets < Number(nbFrames))
    throw new Error(`${file} is cut off: it ends after ${packets} of ${nbFrames} pictures.`)
}
