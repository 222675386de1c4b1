import { readSync } from 'node:fs'
import { type FileHandle } from 'node:fs/promises'
import { type Mp4Header, readMp4Header } from './mp4-header.ts'
import { NO_DEFAULTS, samplesIn } from './fragment-samples.ts'
import { boxesIn, findBox } from './mp4-boxes.ts'

/** A `moof` with its media. */
export interface WalkedFragment {
  readonly at: number
  readonly bytes: number
  readonly tracks: readonly WalkedTrack[]
  /** Where the latest of them ends. */
  readonly endMs: number
}

/** What a fragment has of a track. */
export interface WalkedTrack {
  readonly trackId: number
  /** When its first sample is decoded, and its last one is over. */
  readonly startTicks: number
  readonly endTicks: number
  /** When its first sample is shown, where that is a keyframe. */
  readonly keyframeTicks: number | undefined
}

/** What is whole of a fragmented MP4 (ISO/IEC 14496-12): a crash may have cut its last fragment. */
export interface FragmentWalk {
  /** Undefined of a file that has none, or no video. */
  readonly header: Mp4Header | undefined
  /** Of `ftyp` and `moov`; 0 where there is none. */
  readonly initBytes: number
  readonly fragments: readonly WalkedFragment[]
  readonly durationMs: number
  /** Up to the end of the last whole fragment; what follows can be cut off. */
  readonly wholeBytes: number
  /** The boxes that are skipped by players, before the first fragment. */
  readonly free: readonly { readonly at: number; readonly bytes: number }[]
}

/** A walk asks for bytes, and goes on with those that there are. */
interface BytesWanted {
  readonly at: number
  readonly length: number
}

const MAX_HEADER_BYTES = 4 * 1024 * 1024
const BOX_HEADER_BYTES = 16

/** Only headers are read, so that a file of any size takes a few milliseconds. */
export async function walkFragments(handle: FileHandle, fileBytes: number): Promise<FragmentWalk> {
  const walk = steps(fileBytes)
  let step = walk.next()
  while (!step.done) {
    const { at, length } = step.value
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
    step = walk.next(buffer.subarray(0, bytesRead))
  }
  return step.value
}

/** For a process of its own, which has nothing else to do. */
export function walkFragmentsSync(descriptor: number, fileBytes: number): FragmentWalk {
  const walk = steps(fileBytes)
  let step = walk.next()
  while (!step.done) {
    const { at, length } = step.value
    const buffer = Buffer.alloc(length)
    step = walk.next(buffer.subarray(0, readSync(descriptor, buffer, 0, length, at)))
  }
  return step.value
}

function* steps(fileBytes: number): Generator<BytesWanted, FragmentWalk, Buffer> {
  let header: Mp4Header | undefined
  let timescales = new Map<number, number>()
  let [initBytes, wholeBytes, durationMs] = [0, 0, 0]
  const fragments: WalkedFragment[] = []
  const free: { at: number; bytes: number }[] = []
  /** A `moof` whose media come next. */
  let open: { readonly at: number; readonly tracks: readonly WalkedTrack[] } | undefined
  for (let at = 0; at + 8 <= fileBytes;) {
    const box = readBox(yield { at, length: BOX_HEADER_BYTES })
    if (!box || at + box.size > fileBytes) break
    const end = at + box.size
    const isHeader = box.type === 'moov' || box.type === 'moof'
    if (isHeader && box.size > MAX_HEADER_BYTES) break
    if (box.type === 'moov' && initBytes === 0) {
      // From the file's beginning on: `ftyp` is a part of what every piece begins with.
      const init = yield { at: 0, length: end }
      header = readMp4Header(init)
      timescales = readTimescales(init)
      initBytes = end
      wholeBytes = end
    } else if (box.type === 'moof') {
      open = { at, tracks: readTracks(yield { at: at + box.headerSize, length: box.size - box.headerSize }, header) }
    } else if (box.type === 'mdat' && open) {
      const endMs = endOf(open.tracks, timescales)
      fragments.push({ ...open, bytes: end - open.at, endMs })
      durationMs = Math.max(durationMs, endMs)
      wholeBytes = end
      open = undefined
    } else if (box.type === 'free' && fragments.length === 0) {
      free.push({ at, bytes: box.size })
    }
    at = end
  }
  return { header, initBytes, fragments, durationMs: Math.round(durationMs), wholeBytes, free }
}

/** Nothing of a fragment that cannot be read: those behind it can be. */
function readTracks(moof: Buffer, header: Mp4Header | undefined): WalkedTrack[] {
  const defaultsOf = (id: number) => header?.tracks.find((track) => track.id === id)?.defaults ?? NO_DEFAULTS
  return (samplesIn(moof, defaultsOf) ?? []).map(({ trackId, startTicks, endTicks, samples: [first] }) => {
    return { trackId, startTicks, endTicks, keyframeTicks: first?.isSync ? first.shownAt : undefined }
  })
}

/** Ticks a second, by track; also of those of which no more is known. */
function readTimescales(init: Buffer): Map<number, number> {
  const timescales = new Map<number, number>()
  for (const { type, body } of boxesIn(findBox(init, 'moov') ?? Buffer.alloc(0))) {
    if (type !== 'trak') continue
    const id = numberBehindTimes(findBox(body, 'tkhd'))
    const timescale = numberBehindTimes(findBox(body, 'mdia', 'mdhd'))
    if (id !== undefined && timescale !== undefined) timescales.set(id, timescale)
  }
  return timescales
}

/** Both boxes begin with when the track was made and changed, in numbers of 32 bits or, in version 1, of 64. */
function numberBehindTimes(box: Buffer | undefined): number | undefined {
  const at = box?.[0] === 1 ? 20 : 12
  return box && box.length >= at + 4 ? box.readUInt32BE(at) : undefined
}

function readBox(bytes: Buffer): { type: string; size: number; headerSize: number } | undefined {
  if (bytes.length < 8) return undefined
  const small = bytes.readUInt32BE(0)
  const isLarge = small === 1 && bytes.length === BOX_HEADER_BYTES
  const size = isLarge ? Number(bytes.readBigUInt64BE(8)) : small
  const headerSize = isLarge ? 16 : 8
  return size < headerSize ? undefined : { type: bytes.toString('latin1', 4, 8), size, headerSize }
}

function endOf(tracks: readonly WalkedTrack[], timescales: ReadonlyMap<number, number>): number {
  const ends = tracks.map(({ trackId, endTicks }) => (endTicks / (timescales.get(trackId) || Infinity)) * 1000)
  return Math.max(0, ...ends)
}
