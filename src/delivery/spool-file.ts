import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { encodeRecord, readRecord, readRecords, recordBytesOf } from './spool-records.ts'

/**
 * A file of payloads that has its size from the beginning, and is overwritten in place: others who fill the disk take nothing from
 * it. Of its two halves one counts. When that is full, what is still wanted goes into the other half; the head of that half, written
 * last, makes it the one that counts, so whenever the service is killed, one of them is whole.
 */
export interface SpoolFile {
  readonly sizeBytes: number
  /** So much can be in it at once, as `recordBytesOf` counts. */
  readonly maxBytes: number
  /** Resolves when they are on disk; false when there is no room for them behind the others, and nothing was written. */
  append(payloads: readonly Buffer[]): Promise<boolean>
  /** Puts these in the place of all that is there, or, should it fail, leaves what is there. */
  rewrite(payloads: readonly Buffer[]): Promise<void>
  close(): Promise<void>
}

interface OpenedSpoolFile {
  readonly file: SpoolFile
  /** What was in it, in its order. */
  readonly payloads: readonly Buffer[]
}

const BLOCK_BYTES = 2 ** 20
/** Made anew for each head, so that what the half held before is not taken for what belongs to it. */
const SALT_BYTES = 8
/** Of the heads themselves, which are the first thing that is read. */
const HEAD_SEED = 0
const HEAD_BYTES = recordBytesOf(Buffer.alloc(SALT_BYTES))
/** More records than are ever written at once. */
const MAX_LEFT_OVER = 2 ** 20

const unfinishedOf = (path: string) => `${path}.new`

/** Takes the place of what is there. */
export async function createSpoolFile(path: string, sizeBytes: number): Promise<void> {
  const unfinished = unfinishedOf(path)
  try {
    await writeEmpty(unfinished, sizeBytes)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** A service that was killed while it made one has left it, and the room that it takes. */
export async function removeUnfinished(path: string): Promise<void> {
  await rm(unfinishedOf(path), { force: true })
}

async function writeEmpty(path: string, sizeBytes: number): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    // Zeros would take no room on a file system that compresses.
    const block = randomBytes(BLOCK_BYTES)
    for (let at = 0; at < sizeBytes; at += BLOCK_BYTES)
      await writeAt(handle, block.subarray(0, Math.min(BLOCK_BYTES, sizeBytes - at)), at)
    await writeAt(handle, encodeRecord({ sequence: 1, payload: randomBytes(SALT_BYTES) }, HEAD_SEED), 0)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Undefined when neither half can be read. */
export async function openSpoolFile(path: string): Promise<OpenedSpoolFile | undefined> {
  const handle = await open(path, 'r+')
  const bytes = await handle.readFile().catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  const halfBytes = Math.floor(bytes.length / 2)
  const halves = [0, 1].flatMap((index) => readHalf(bytes.subarray(index * halfBytes, (index + 1) * halfBytes), index))
  const newest = halves.sort((one, other) => other.generation - one.generation)[0]
  if (newest) return { file: createFile(handle, bytes.length, newest), payloads: newest.payloads }
  await handle.close()
  return undefined
}

interface Half {
  readonly index: number
  /** Of two that are whole, the one of the higher generation counts. */
  readonly generation: number
  readonly seed: number
  readonly payloads: readonly Buffer[]
  /** Of its last record. */
  readonly sequence: number
  readonly usedBytes: number
}

function readHalf(bytes: Buffer, index: number): Half | [] {
  const head = readRecord(bytes, HEAD_SEED)
  if (head?.payload.length !== SALT_BYTES) return []
  const seed = crc32(head.payload)
  const records = readRecords(bytes.subarray(HEAD_BYTES), seed)
  const payloads = records.map(({ payload }) => Buffer.from(payload))
  const usedBytes = HEAD_BYTES + payloads.reduce((sum, payload) => sum + recordBytesOf(payload), 0)
  return { index, generation: head.sequence, seed, payloads, sequence: records.at(-1)?.sequence ?? 0, usedBytes }
}

function createFile(handle: FileHandle, sizeBytes: number, half: Half): SpoolFile {
  const halfBytes = Math.floor(sizeBytes / 2)
  let { index, generation, seed, usedBytes } = half
  // What a kill or a failure left behind the last record must be older than what is written over it.
  let sequence = half.sequence + MAX_LEFT_OVER
  /** A head was being written when that failed: either half may count now, and nothing is added to any. */
  let isDoubtful = false

  const encode = (payloads: readonly Buffer[], bySeed: number) =>
    Buffer.concat(payloads.map((payload) => encodeRecord({ sequence: ++sequence, payload }, bySeed)))

  async function write(bytes: Buffer, at: number): Promise<void> {
    await writeAt(handle, bytes, at)
    await handle.datasync()
  }

  return {
    sizeBytes,
    maxBytes: halfBytes - HEAD_BYTES,
    async append(payloads) {
      const records = encode(payloads, seed)
      if (isDoubtful || usedBytes + records.length > halfBytes) return false
      await write(records, index * halfBytes + usedBytes)
      usedBytes += records.length
      return true
    },
    async rewrite(payloads) {
      const other = 1 - index
      const salt = randomBytes(SALT_BYTES)
      const records = encode(payloads, crc32(salt))
      // Before the head that may be there stands before records that are not its own.
      if (isDoubtful) await write(randomBytes(HEAD_BYTES), other * halfBytes)
      await write(records, other * halfBytes + HEAD_BYTES)
      isDoubtful = true
      await write(encodeRecord({ sequence: generation + 1, payload: salt }, HEAD_SEED), other * halfBytes)
      isDoubtful = false
      ;[index, generation, seed, usedBytes] = [other, generation + 1, crc32(salt), HEAD_BYTES + records.length]
    },
    close: () => handle.close(),
  }
}

async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten
}

/** A new name is on disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
