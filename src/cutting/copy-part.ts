import { type Frame, type Packet } from 'node-av'
import { type PictureLimit } from '../core/picture-limit.ts'
import { parseH264Sps } from '../media/rtp/h264-sps.ts'
import { type DecodedFrame } from '../pipeline/decode/frame-pool.ts'
import { createVideoDecoder } from '../pipeline/decode/video-decoder.ts'
import {
  canEncode,
  type ClipEncoder,
  type ClipEncoderOptions,
  createClipEncoder,
  type EncodedSample,
} from './clip-encoder.ts'
import { freeSetId, type ParameterSetRecord, readParameterSets, writeParameterSets } from './parameter-set-record.ts'
import { openPartFile, type PartFile, toTicks } from './part-file.ts'
import { type EncodedRange } from './plan-cut.ts'
import { type PlannedFile } from './planned-file.ts'
import { CutError, durationMs, openRecordedVideo, type RecordedVideo, shownMs } from './recorded-video.ts'

/** A file with its place in the part. */
export interface PlacedFile extends PlannedFile {
  /** Where its beginning is in the part; before it, where the part begins within the file. */
  readonly placeMs: number
}

export interface PartOptions {
  readonly target: string
  readonly maxPicture: PictureLimit
  /** A picture of this time has been written: milliseconds since the epoch. */
  readonly onWritten: (atMs: number) => void
}

/** It can't be copied: the format of its pictures is none that anything can be added to. */
export class NotCopyable extends Error {
  override readonly name = 'NotCopyable'
}

/** How far pictures are decoded ahead, where their stream does not say. */
const ASSUMED_REORDERED_FRAMES = 2

/**
 * Writes a part whose pictures are those of the recordings, byte for byte, but for those at its beginning (and its end, where pictures refer
 * to later ones): these are encoded anew, with parameter sets of an id that the camera does not use, beside the camera's own.
 */
export async function copyPart(files: readonly PlacedFile[], options: PartOptions): Promise<number> {
  const head = await openRecordedVideo(files[0]!)
  if (!head) throw new CutError('unreadable', 'The recording cannot be read any more.')
  const camera = readParameterSets(head.video.codecpar.extradata)
  let like: Frame | undefined
  let part: PartFile | undefined
  try {
    if (needsEncoder(files)) like = await firstPicture(files, options.maxPicture)
    if (!camera || (like && !canEncode(like))) throw new NotCopyable('of another format')
    const encoding = like && encodingFor(like, camera, files)
    part = openPartFile(options.target, {
      video: head.video,
      audio: head.audio,
      record: encoding?.record ?? head.video.codecpar.extradata!,
      width: files[0]!.width,
      height: files[0]!.height,
      reorderedFrames: reorderedFrames(files, camera),
    })
    for (const file of files) await copyFile(file, part, encoding, options)
    const closing = part
    part = undefined
    return await closing.close()
  } finally {
    part?.abandon()
    like?.free()
    await head.input.close()
  }
}

interface Encoding {
  readonly record: Buffer
  open(): ClipEncoder
  /** Whether a picture is as those that the encoder takes. */
  fits(frame: Frame): boolean
}

function encodingFor(like: Frame, camera: ParameterSetRecord, files: readonly PlacedFile[]): Encoding {
  const sps = camera.sps[0]!
  const setId = freeSetId([...camera.sps, ...camera.pps, ...files.flatMap(({ scan }) => scan.sets)])
  const options: ClipEncoderOptions = { fps: files[0]!.fps, setId, profileIdc: parseH264Sps(sps)?.profileIdc }
  const sample = createClipEncoder(like, options)
  const record = setId === undefined ? undefined : writeParameterSets(camera, sample.sets)
  sample.close()
  if (!record) throw new NotCopyable('all ids of parameter sets are taken')
  return {
    record,
    open: () => createClipEncoder(like, options),
    fits: ({ width, height, format }) => width === like.width && height === like.height && format === like.format,
  }
}

const needsEncoder = (files: readonly PlacedFile[]) =>
  files.some(({ plan }) => plan.head !== null || plan.tail !== null)

/** Of those that are to be encoded, a copy; what it is like tells the encoder what all are like. */
async function firstPicture(files: readonly PlacedFile[], limit: PictureLimit): Promise<Frame> {
  const file = files.find(({ plan }) => plan.head ?? plan.tail)!
  const range = (file.plan.head ?? file.plan.tail)!
  const opened = await openRecordedVideo(file)
  if (!opened) throw new CutError('unreadable', 'The recording cannot be read any more.')
  const decoder = createVideoDecoder(opened.video, { limit })
  try {
    for await (const { packet, at } of videoPackets(opened)) {
      if (at < range.decodeFrom) continue
      for (const picture of decoder.decode(packet)) return keep(picture)
      if (at + 1 >= range.decodeTo) break
    }
    for (const picture of decoder.flush()) return keep(picture)
    throw new CutError('unreadable', 'No picture at its beginning can be decoded.')
  } finally {
    decoder.close()
    await opened.input.close()
  }
}

function keep(picture: DecodedFrame): Frame {
  const kept = picture.frame.clone()
  picture.release()
  if (!kept) throw new Error('no memory for a picture')
  return kept
}

async function* videoPackets({
  input,
  video,
}: RecordedVideo): AsyncGenerator<{ packet: Packet; at: number; ms: number }> {
  let at = 0
  for (let packet = await input.read(); packet; packet = await input.read()) {
    const ms = packet.streamIndex === video.index ? shownMs(packet, video) : undefined
    if (ms !== undefined) yield { packet, at: at++, ms }
  }
}

async function copyFile(
  file: PlacedFile,
  part: PartFile,
  encoding: Encoding | undefined,
  { maxPicture, onWritten }: PartOptions,
): Promise<void> {
  const opened = await openRecordedVideo(file)
  if (!opened) throw new CutError('unreadable', 'The recording cannot be read any more.')
  const { input, video, audio } = opened
  const { plan, placeMs, firstMs, endMs } = file
  const writeEncoded = (sample: EncodedSample) =>
    part.writeVideo(sample.data, sample.ticks, frameTicks(file), sample.isKeyframe)
  const open = (range: EncodedRange) => createRangeEncoder(range, opened, placeMs, encoding!, maxPicture, writeEncoded)
  let head = plan.head && open(plan.head)
  const tail = plan.tail && open(plan.tail)
  /** Behind the head, which is not finished before the pictures that follow the keyframe are decoded. */
  let held: { data: Buffer; ms: number; isKeyframe: boolean; ticks: number } | undefined

  function finishHead(): void {
    head?.finish()
    head = null
    if (held) part.writeVideo(held.data, toTicks(placeMs + held.ms), held.ticks, held.isKeyframe)
    held = undefined
  }

  function takeVideo(packet: Packet, at: number, ms: number): void {
    if (head && at >= plan.head!.decodeTo) finishHead()
    head?.take(packet, at)
    const { copied } = plan
    if (copied && at >= copied.from && at < copied.to && ms >= copied.fromMs) {
      const ticks = toTicks(durationMs(packet, video)) || frameTicks(file)
      const sample = { data: packet.data!, ms, isKeyframe: packet.isKeyframe, ticks }
      // What the packet has is gone with the next one.
      if (head) held = { ...sample, data: Buffer.from(sample.data) }
      else part.writeVideo(sample.data, toTicks(placeMs + ms), ticks, sample.isKeyframe)
    }
    tail?.take(packet, at)
    onWritten(file.startedAtMs + ms)
  }

  const lastAt = Math.max(plan.head?.decodeTo ?? 0, plan.copied?.to ?? 0, plan.tail?.decodeTo ?? 0)
  try {
    let at = 0
    for (let packet = await input.read(); packet; packet = await input.read()) {
      const isVideo = packet.streamIndex === video.index
      const ms = isVideo
        ? shownMs(packet, video)
        : audio?.index === packet.streamIndex
          ? shownMs(packet, audio)
          : undefined
      if (ms === undefined) continue
      if (!isVideo) {
        if (ms >= firstMs && ms < endMs) part.writeAudio(packet, audio!, placeMs)
        if (ms >= endMs && at >= lastAt) break
        continue
      }
      if (at < lastAt) takeVideo(packet, at, ms)
      else if (!audio) break
      at++
    }
    finishHead()
    tail?.finish()
  } finally {
    head?.close()
    tail?.close()
    await input.close()
  }
}

const frameTicks = ({ fps }: PlannedFile) => toTicks(1000 / (fps || 25))

interface RangeEncoder {
  take(packet: Packet, at: number): void
  finish(): void
  close(): void
}

/** Decodes packets from one place to another, and encodes those of their pictures that are shown in a range. */
function createRangeEncoder(
  { decodeFrom, decodeTo, fromMs, toMs }: EncodedRange,
  { video }: RecordedVideo,
  placeMs: number,
  encoding: Encoding,
  limit: PictureLimit,
  write: (sample: EncodedSample) => void,
): RangeEncoder {
  const decoder = createVideoDecoder(video, { limit })
  const encoder = encoding.open()
  let isClosed = false

  function encode(pictures: Iterable<DecodedFrame>): void {
    for (const picture of pictures) {
      try {
        const { ptsMs, frame } = picture
        if (ptsMs === undefined || ptsMs < fromMs || ptsMs >= toMs) continue
        if (!encoding.fits(frame)) throw new NotCopyable('the pictures change')
        for (const sample of encoder.encode(frame, toTicks(placeMs + ptsMs))) write(sample)
      } finally {
        picture.release()
      }
    }
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    decoder.close()
    encoder.close()
  }

  return {
    take(packet, at) {
      if (at >= decodeFrom && at < decodeTo) encode(decoder.decode(packet))
    },
    finish() {
      encode(decoder.flush())
      for (const sample of encoder.flush()) write(sample)
      close()
    },
    close,
  }
}

/** None where no picture is shown before one that is decoded earlier. */
function reorderedFrames(files: readonly PlacedFile[], { sps }: ParameterSetRecord): number {
  const isReordered = files.some(({ scan: { samples } }) =>
    samples.some(({ ms }, at) => at > 0 && ms < samples[at - 1]!.ms),
  )
  return isReordered ? (parseH264Sps(sps[0]!)?.maxReorderedFrames ?? ASSUMED_REORDERED_FRAMES) : 0
}
