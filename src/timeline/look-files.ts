import { type FileHandle, mkdir, open, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import {
  type BlockHead,
  BLOCK_HEAD_BYTES,
  decodeBlock,
  encodeBlock,
  frameBlock,
  payloadOf,
  readBlockHeads,
} from '../core/look-blocks.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type Stretch } from '../core/recorded-time.ts'

/** Files of blocks: written at their end, and read block by block. */

/** The first part of their names below the data folder. */
export const DETECTIONS = 'detections'
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** A block is of so long at the most, and of so many sightings: what is asked for is not far from what is read. */
const MAX_BLOCK_MS = 10_000
export const MAX_BLOCK_SIGHTINGS = 2_000

/** Looks in the order in which they came, in portions that make a block each. */
export function* inBlocks(looks: readonly RecordedLook[]): Generator<readonly RecordedLook[]> {
  let start = 0
  let sightings = 0
  for (const [index, { takenAtMs, tracks }] of looks.entries()) {
    const isTooLong = Math.abs(takenAtMs - looks[start]!.takenAtMs) >= MAX_BLOCK_MS
    if (index > start && (isTooLong || sightings + tracks.length > MAX_BLOCK_SIGHTINGS)) {
      yield looks.slice(start, index)
      start = index
      sightings = 0
    }
    sightings += tracks.length
  }
  if (start < looks.length) yield looks.slice(start)
}

/** Throws a `RangeError` on looks that no block can have. */
export async function toBlock(looks: readonly RecordedLook[]): Promise<Buffer> {
  const payload = encodeBlock(looks)
  return frameBlock(await deflate(payload), payload.length, looks)
}

/** One block of a file, as it is there. */
export interface LookBlock extends BlockHead {
  /** Head and payload. */
  readonly bytesThere: Buffer
}

/** Those that may have looks of a stretch, up to the first that is torn. They hold nothing of the rest of the file. */
export function blocksWithin(file: Buffer, { from, to }: Stretch): LookBlock[] {
  return readBlockHeads(file)
    .heads.filter(({ firstAtMs, lastAtMs }) => firstAtMs < to && lastAtMs >= from)
    .map((head) => {
      const bytesThere = Buffer.from(file.subarray(head.at, head.at + BLOCK_HEAD_BYTES + head.bytes))
      return { ...head, bytesThere }
    })
}

export async function looksOf({ bytesThere, rawBytes, ...head }: LookBlock): Promise<RecordedLook[]> {
  const payload = payloadOf(bytesThere, { ...head, rawBytes, at: 0 })
  return decodeBlock(await inflate(payload, { maxOutputLength: rawBytes }))
}

/**
 * Writes behind the first `sizeBytes` of a file; what is behind them was left by a write that failed. False where these are not there
 * any more.
 */
export async function appendAt(path: string, bytes: Buffer, sizeBytes: number): Promise<boolean> {
  const handle = await openToAppend(path)
  try {
    const { size } = await handle.stat()
    if (size < sizeBytes) return false
    if (size > sizeBytes) await handle.truncate(sizeBytes)
    await handle.appendFile(bytes)
    return true
  } finally {
    await handle.close()
  }
}

/** The folder goes with the last file that is removed from it, which may be in between. */
async function openToAppend(path: string): Promise<FileHandle> {
  const tryOnce = async () => {
    await mkdir(dirname(path), { recursive: true })
    return open(path, 'a', 0o600)
  }
  return tryOnce().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return tryOnce()
  })
}

/** Cuts off what a crash has left half written; answers what is whole. Undefined where there is no file. */
export async function mendFile(path: string): Promise<Buffer | undefined> {
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  const { wholeBytes } = readBlockHeads(file)
  if (wholeBytes < file.length) await truncate(path, wholeBytes)
  return file.subarray(0, wholeBytes)
}
