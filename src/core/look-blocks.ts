import { crc32 } from 'node:zlib'
import { type Box } from './detection.ts'
import { type GeoPoint } from './geo-point.ts'
import { type RecordedCamera, type RecordedLook, type RecordedTrack } from './recorded-look.ts'
import { toHeading } from './numbers.ts'
import { createVarintReader, createVarintWriter, type VarintReader, type VarintWriter } from './varint.ts'

/**
 * The looks of about ten seconds as bytes: blocks, of which a file is made, one behind the other. Each can be read by itself. In it
 * everything is written as the difference to where it was before, since what stands or walks hardly moves between two looks.
 *
 * A block is a head of 32 bytes, little-endian, and its payload, deflated (raw):
 * `ALB1 | payload bytes u32 | CRC-32 u32 | looks u32 | first ms i64 | span ms u32 | raw bytes u32`. The checksum is that of all else.
 */

export interface BlockHead {
  /** Where the block begins in its file; `bytes` of payload are behind its head. */
  readonly at: number
  readonly bytes: number
  /** Of the payload when it is inflated. */
  readonly rawBytes: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  readonly looks: number
}

export const BLOCK_HEAD_BYTES = 32
const MAGIC = Buffer.from('ALB1')
export const MAX_BLOCK_RAW_BYTES = 8 * 2 ** 20
/** Of one block. What is written stays far below, and what is read takes no more memory than that. */
export const MAX_BLOCK_LOOKS = 10_000
export const MAX_BLOCK_SIGHTINGS = 100_000

/** Of one that is deflated: head and payload. Throws a `RangeError` on what no reader takes, or where its looks are more than 49 days apart. */
export function frameBlock(deflated: Buffer, rawBytes: number, looks: readonly RecordedLook[]): Buffer {
  // What would be refused when it is read would hide all that is written behind it.
  if (rawBytes > MAX_BLOCK_RAW_BYTES || deflated.length > MAX_BLOCK_RAW_BYTES)
    throw new RangeError('too much for a block')
  const times = looks.map(({ takenAtMs }) => Math.round(takenAtMs))
  const firstAtMs = times.reduce((first, time) => Math.min(first, time), Infinity)
  const lastAtMs = times.reduce((last, time) => Math.max(last, time), -Infinity)
  const block = Buffer.alloc(BLOCK_HEAD_BYTES + deflated.length)
  MAGIC.copy(block)
  block.writeUInt32LE(deflated.length, 4)
  block.writeUInt32LE(looks.length, 12)
  block.writeBigInt64LE(BigInt(firstAtMs), 16)
  block.writeUInt32LE(lastAtMs - firstAtMs, 24)
  block.writeUInt32LE(rawBytes, 28)
  deflated.copy(block, BLOCK_HEAD_BYTES)
  block.writeUInt32LE(checksumOf(block), 8)
  return block
}

/** Of all whole blocks, up to the first that is torn or changed. */
export function readBlockHeads(file: Buffer): { heads: BlockHead[]; wholeBytes: number } {
  const heads: BlockHead[] = []
  let at = 0
  for (let head = readHead(file, 0); head; head = readHead(file, at)) {
    heads.push(head)
    at += BLOCK_HEAD_BYTES + head.bytes
  }
  return { heads, wholeBytes: at }
}

/** How long the block is that begins so; undefined where none does. Whether it is whole is for `readBlockHeads` to say. */
export function blockBytesOf(start: Buffer): number | undefined {
  if (start.length < BLOCK_HEAD_BYTES || MAGIC.compare(start, 0, MAGIC.length) !== 0) return undefined
  const bytes = start.readUInt32LE(4)
  return bytes > MAX_BLOCK_RAW_BYTES || start.readUInt32LE(28) > MAX_BLOCK_RAW_BYTES
    ? undefined
    : BLOCK_HEAD_BYTES + bytes
}

/** The payload of a block, as it is deflated. */
export function payloadOf(file: Buffer, { at, bytes }: BlockHead): Buffer {
  return file.subarray(at + BLOCK_HEAD_BYTES, at + BLOCK_HEAD_BYTES + bytes)
}

function readHead(file: Buffer, at: number): BlockHead | undefined {
  const length = blockBytesOf(file.subarray(at))
  if (length === undefined || at + length > file.length) return undefined
  const block = file.subarray(at, at + length)
  if (block.readUInt32LE(8) !== checksumOf(block)) return undefined
  const firstAtMs = Number(block.readBigInt64LE(16))
  return {
    at,
    bytes: length - BLOCK_HEAD_BYTES,
    rawBytes: block.readUInt32LE(28),
    firstAtMs,
    lastAtMs: firstAtMs + block.readUInt32LE(24),
    looks: block.readUInt32LE(12),
  }
}

function checksumOf(block: Buffer): number {
  return crc32(block.subarray(12), crc32(block.subarray(0, 8)))
}

/** What was written last, to which the next is the difference. Numbers are in the units in which they are written. */
interface Written {
  atMs: number
  width: number
  height: number
  camera: readonly number[]
  /** Whichever it was of: what is seen is not far from the camera, nor from each other. */
  place: readonly number[]
  readonly tracks: Map<number, WrittenTrack>
}

interface WrittenTrack {
  readonly classIndex: number
  /** x, y, width, height in half pixels, confidence in percent. */
  readonly box: readonly number[]
  /** Of the last place that it had. */
  readonly place: readonly number[] | undefined
}

const nothingWritten = (): Written => ({
  atMs: 0,
  width: 0,
  height: 0,
  camera: [0],
  place: [0, 0, 0],
  tracks: new Map(),
})
const NO_BOX = [0, 0, 0, 0, 0]
/** In half pixels. */
const BOX_STEPS = 2
/** In 10⁻⁶ °, which is 0.1 m, and as fine in height. */
const DEGREE_STEPS = 1e6
const METRE_STEPS = 10
const HEADING_STEPS = 100
/** Of a `Date`. */
const MAX_TIME_MS = 8.64e15

/** The payload of a block, before it is deflated. Throws on what no picture can have, such as a box that is not a number. */
export function encodeBlock(looks: readonly RecordedLook[]): Buffer {
  const sightings = looks.reduce((sum, { tracks }) => sum + tracks.length, 0)
  if (looks.length > MAX_BLOCK_LOOKS || sightings > MAX_BLOCK_SIGHTINGS) throw new RangeError('too much for a block')
  const out = createVarintWriter()
  const classes = createClassWriter(out)
  const last = nothingWritten()
  for (const look of looks) {
    writeLookHead(out, look, last)
    let lastId = 0
    for (const track of look.tracks.toSorted((a, b) => a.id - b.id)) {
      writeTrack(out, track, track.id - lastId, classes, last)
      lastId = track.id
    }
  }
  return out.toBuffer()
}

function writeLookHead(out: VarintWriter, look: RecordedLook, last: Written): void {
  const { width, height, tracks, camera } = look
  const isSizeNew = width !== last.width || height !== last.height
  const atMs = Math.round(look.takenAtMs)
  out.signed(atMs - last.atMs)
  out.unsigned(tracks.length * 4 + Number(camera !== undefined) * 2 + Number(isSizeNew))
  Object.assign(last, { atMs, width, height })
  if (isSizeNew) {
    out.unsigned(width)
    out.unsigned(height)
  }
  if (!camera) return
  last.place = writeDifferences(out, last.place, toPlaceSteps(camera.point))
  last.camera = writeDifferences(out, last.camera, [Math.round(camera.headingDeg * HEADING_STEPS)])
}

function writeTrack(
  out: VarintWriter,
  track: RecordedTrack,
  idDifference: number,
  classes: ReturnType<typeof createClassWriter>,
  last: Written,
): void {
  const { id, box, confidence, point } = track
  // Without tracking, nothing says which one was which.
  const before = id === 0 ? undefined : last.tracks.get(id)
  const classIndex = classes.indexOf(track)
  const isClassNew = before?.classIndex !== classIndex
  out.unsigned(idDifference * 4 + Number(point !== undefined) * 2 + Number(isClassNew))
  if (isClassNew) classes.write(track, classIndex)
  const steps = [box.x, box.y, box.width, box.height].map((value) => Math.round(value * BOX_STEPS))
  const written = writeDifferences(out, before?.box ?? NO_BOX, [...steps, Math.round(confidence * 100)])
  let place = before?.place
  if (point) last.place = place = writeDifferences(out, place ?? last.place, toPlaceSteps(point))
  last.tracks.set(id, { classIndex, box: written, place })
}

/** Classes are numbered as they come; the first of each is followed by its id and name. */
function createClassWriter(out: VarintWriter) {
  const indexes = new Map<string, number>()
  const keyOf = ({ classId, className }: RecordedTrack) => `${classId} ${className}`
  return {
    indexOf: (track: RecordedTrack) => indexes.get(keyOf(track)) ?? indexes.size,
    write(track: RecordedTrack, index: number): void {
      out.unsigned(index)
      if (index < indexes.size) return
      out.unsigned(track.classId)
      out.text(track.className)
      indexes.set(keyOf(track), index)
    },
  }
}

/** Answers what stands there now. */
function writeDifferences(out: VarintWriter, before: readonly number[], now: readonly number[]): readonly number[] {
  now.forEach((value, index) => out.signed(value - before[index]!))
  return now
}

function toPlaceSteps({ latitudeDeg, longitudeDeg, altitudeM }: GeoPoint): readonly number[] {
  return [latitudeDeg * DEGREE_STEPS, longitudeDeg * DEGREE_STEPS, altitudeM * METRE_STEPS].map(Math.round)
}

/** What an inflated payload has. Throws on what no `encodeBlock` wrote; what changes on a disk is found by the checksum before. */
export function decodeBlock(payload: Buffer): RecordedLook[] {
  const input = createVarintReader(payload)
  const classes: RecordedClass[] = []
  const last = nothingWritten()
  const looks: RecordedLook[] = []
  let sightings = 0
  while (!input.isAtEnd) {
    last.atMs += input.signed()
    if (Math.abs(last.atMs) > MAX_TIME_MS) throw new RangeError('a look is at no time')
    const head = input.unsigned()
    sightings += Math.floor(head / 4)
    if (looks.length === MAX_BLOCK_LOOKS || sightings > MAX_BLOCK_SIGHTINGS)
      throw new RangeError('too much for a block')
    if (head % 2 === 1) Object.assign(last, { width: input.unsigned(), height: input.unsigned() })
    const camera = Math.floor(head / 2) % 2 === 1 ? readCamera(input, last) : undefined
    const tracks: RecordedTrack[] = []
    for (let left = Math.floor(head / 4); left > 0; left--)
      tracks.push(readTrack(input, tracks.at(-1)?.id ?? 0, classes, last))
    const { atMs: takenAtMs, width, height } = last
    looks.push({ takenAtMs, width, height, tracks, ...(camera && { camera }) })
  }
  return looks
}

type RecordedClass = Pick<RecordedTrack, 'classId' | 'className'>

function readCamera(input: VarintReader, last: Written): RecordedCamera {
  last.place = readDifferences(input, last.place)
  last.camera = readDifferences(input, last.camera)
  return { point: toPoint(last.place), headingDeg: toHeading(last.camera[0]! / HEADING_STEPS) }
}

function readTrack(input: VarintReader, lastId: number, classes: RecordedClass[], last: Written): RecordedTrack {
  const head = input.unsigned()
  const id = lastId + Math.floor(head / 4)
  const before = id === 0 ? undefined : last.tracks.get(id)
  const classIndex = head % 2 === 1 ? input.unsigned() : before?.classIndex
  if (classIndex === classes.length) classes.push({ classId: input.unsigned(), className: input.text() })
  const known = classIndex === undefined ? undefined : classes[classIndex]
  if (!known) throw new RangeError('a track has no class')
  const box = readDifferences(input, before?.box ?? NO_BOX)
  let place = before?.place
  const hasPlace = Math.floor(head / 2) % 2 === 1
  if (hasPlace) last.place = place = readDifferences(input, place ?? last.place)
  last.tracks.set(id, { classIndex: classIndex!, box, place })
  return { id, ...known, ...toSeen(box), ...(hasPlace && { point: toPoint(place!) }) }
}

function readDifferences(input: VarintReader, before: readonly number[]): readonly number[] {
  return before.map((value) => value + input.signed())
}

function toSeen([x, y, width, height, percent]: readonly number[]): { box: Box; confidence: number } {
  const [left, top, wide, high] = [x!, y!, width!, height!].map((steps) => steps / BOX_STEPS)
  return { box: { x: left!, y: top!, width: wide!, height: high! }, confidence: percent! / 100 }
}

function toPoint([latitude, longitude, altitude]: readonly number[]): GeoPoint {
  return {
    latitudeDeg: latitude! / DEGREE_STEPS,
    longitudeDeg: longitude! / DEGREE_STEPS,
    altitudeM: altitude! / METRE_STEPS,
  }
}
