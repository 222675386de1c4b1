import { type FileHandle, open } from 'node:fs/promises'
import { boxesIn, findBox, fragmentStart } from './mp4-boxes.ts'

/**
 * Reads how much of a fragmented MP4 is whole (ISO/IEC 14496-12): a crash may have cut the last fragment. Only
 * headers are read, so a file of any size takes a few milliseconds.
 */
export interface Measured {
  readonly durationMs: number
  /** Up to the end of the last whole fragment; what follows can be cut off. */
  readonly wholeBytes: number
}

const MAX_HEADER_BYTES = 4 * 1024 * 1024

export async function measureFragmentedMp4(file: string): Promise<Measured> {
  const handle = await open(file, 'r')
  try {
    return await measure(handle, (await handle.stat()).size)
  } finally {
    await handle.close()
  }
}

async function measure(handle: FileHandle, fileSize: number): Promise<Measured> {
  let timescales = new Map<number, number>()
  let fragmentEndMs = 0
  let durationMs = 0
  let wholeBytes = 0
  for (let at = 0; at + 8 <= fileSize;) {
    const box = await readHeader(handle, at)
    if (!box || at + box.size > fileSize) break
    if (box.type === 'moov' || box.type === 'moof') {
      if (box.size > MAX_HEADER_BYTES) break
      const content = await readAt(handle, at + box.headerSize, box.size - box.headerSize)
      if (box.type === 'moov') timescales = readTimescales(content)
      else fragmentEndMs = readFragmentEndMs(content, timescales)
    }
    at += box.size
    if (box.type === 'mdat' || box.type === 'moov') {
      wholeBytes = at
      durationMs = Math.max(durationMs, fragmentEndMs)
    }
  }
  return { durationMs: Math.round(durationMs), wholeBytes }
}

async function readHeader(
  handle: FileHandle,
  at: number,
): Promise<{ type: string; size: number; headerSize: number } | undefined> {
  const header = await readAt(handle, at, 16)
  if (header.length < 8) return undefined
  const small = header.readUInt32BE(0)
  const size = small === 1 && header.length === 16 ? Number(header.readBigUInt64BE(8)) : small
  return size < 8 ? undefined : { type: header.toString('latin1', 4, 8), size, headerSize: small === 1 ? 16 : 8 }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Ticks a second, by track. */
function readTimescales(moov: Buffer): Map<number, number> {
  const timescales = new Map<number, number>()
  for (const { type, body } of boxesIn(moov)) {
    if (type !== 'trak') continue
    const header = findBox(body, 'tkhd')
    const media = findBox(body, 'mdia', 'mdhd')
    if (!header || !media) continue
    const isLong = (box: Buffer) => box[0] === 1
    timescales.set(header.readUInt32BE(isLong(header) ? 20 : 12), media.readUInt32BE(isLong(media) ? 20 : 12))
  }
  return timescales
}

/** Where the latest track fragment of a `moof` ends. */
function readFragmentEndMs(moof: Buffer, timescales: Map<number, number>): number {
  let endMs = 0
  for (const { type, body } of boxesIn(moof)) {
    if (type !== 'traf') continue
    const start = fragmentStart(body)
    const timescale = start && timescales.get(start.trackId)
    if (!timescale) continue
    const sampleDuration = defaultDuration(findBox(body, 'tfhd')!)
    const ticks = [...boxesIn(body)]
      .filter((box) => box.type === 'trun')
      .reduce((sum, run) => sum + runTicks(run.body, sampleDuration), 0)
    endMs = Math.max(endMs, ((start.startTicks + ticks) / timescale) * 1000)
  }
  return endMs
}

/** `default_sample_duration` of a `tfhd` (§8.8.7), behind the optional fields that come first. */
function defaultDuration(tfhd: Buffer): number {
  const flags = tfhd.readUInt32BE(0) & 0xffffff
  if (!(flags & 0x08)) return 0
  const at = 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0)
  return at + 4 <= tfhd.length ? tfhd.readUInt32BE(at) : 0
}

/** The sum of a `trun`'s sample durations (§8.8.8). */
function runTicks(trun: Buffer, sampleDuration: number): number {
  const flags = trun.readUInt32BE(0) & 0xffffff
  const count = trun.readUInt32BE(4)
  if (!(flags & 0x100)) return count * sampleDuration
  const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  let at = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0)
  let ticks = 0
  for (let sample = 0; sample < count && at + 4 <= trun.length; sample++, at += stride) ticks += trun.readUInt32BE(at)
  return ticks
}
