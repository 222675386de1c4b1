import { writeSync } from 'node:fs'
import { type FragmentWalk, type WalkedFragment } from '../mp4/fragment-walk.ts'

// An index at the beginning of a fragmented MP4 (`sidx`, ISO/IEC 14496-12 §8.16.3). Without one a player that reads over HTTP asks
// for every fragment of the file before it shows anything. It is known only at the end, so room for it is left at the beginning.

export interface IndexedTrack {
  /** In the file, from 1. */
  readonly id: number
  /** Ticks a second. */
  readonly timescale: number
}

const ROOM_BYTES = 2_048
const BOX_HEADER_BYTES = 8
const INDEX_HEADER_BYTES = 40
const ENTRY_BYTES = 12
/** Of 31 and 32 bits. */
const MAX_ENTRY_BYTES = 2 ** 31 - 1
const MAX_TICKS = 2 ** 32 - 1
const MAX_ENTRIES = Math.floor((ROOM_BYTES - BOX_HEADER_BYTES - INDEX_HEADER_BYTES) / ENTRY_BYTES)

/** To be written right behind the header, as a box that players skip. */
export function roomForIndex(): Buffer {
  return freeBox(ROOM_BYTES)
}

/** Fills the room in a file that is closed. One whose times or sizes an index can't hold, or without any, is left as it is. */
export function writeSegmentIndex(
  descriptor: number,
  walk: Pick<FragmentWalk, 'free' | 'fragments'>,
  track: IndexedTrack,
  durationMs: number,
): void {
  const roomAt = walk.free.find(({ bytes }) => bytes === ROOM_BYTES)?.at
  const fragments = startsOf(walk.fragments, track.id)
  const [first] = fragments
  if (roomAt === undefined || !first) return
  const endTicks = first.startTicks + Math.round((durationMs * track.timescale) / 1000)
  const entries = grouped(fragments, endTicks)
  if (entries.some(({ bytes, durationTicks }) => bytes > MAX_ENTRY_BYTES || durationTicks > MAX_TICKS)) return
  const index = indexBox(track, first.startTicks, entries)
  // Right before the first fragment: Chromium takes no notice of an offset to it.
  writeSync(descriptor, Buffer.concat([freeBox(ROOM_BYTES - index.length), index]), 0, ROOM_BYTES, roomAt)
}

interface Fragment {
  /** With its media. */
  readonly bytes: number
  /** When it is first decoded; with B-frames it is shown a little later, which does not matter for seeking. */
  readonly startTicks: number
}

/** A fragment may have nothing of the track; it belongs to the one before. */
function startsOf(walked: readonly WalkedFragment[], trackId: number): Fragment[] {
  const fragments: { bytes: number; startTicks: number }[] = []
  for (const { bytes, tracks } of walked) {
    const startTicks = tracks.find((track) => track.trackId === trackId)?.startTicks
    const last = fragments.at(-1)
    if (startTicks === undefined && last) last.bytes += bytes
    else fragments.push({ bytes, startTicks: startTicks ?? 0 })
  }
  return fragments
}

interface Entry {
  readonly bytes: number
  readonly durationTicks: number
}

/** As many fragments to an entry as are needed for all to have room. */
function grouped(fragments: readonly Fragment[], endTicks: number): Entry[] {
  const groupSize = Math.ceil(fragments.length / MAX_ENTRIES)
  const entries: Entry[] = []
  for (let at = 0; at < fragments.length; at += groupSize) {
    const nextTicks = fragments[at + groupSize]?.startTicks ?? endTicks
    entries.push({
      bytes: fragments.slice(at, at + groupSize).reduce((sum, { bytes }) => sum + bytes, 0),
      durationTicks: Math.max(0, nextTicks - fragments[at]!.startTicks),
    })
  }
  return entries
}

function indexBox({ id, timescale }: IndexedTrack, startTicks: number, entries: readonly Entry[]): Buffer {
  const box = Buffer.alloc(INDEX_HEADER_BYTES + entries.length * ENTRY_BYTES)
  box.writeUInt32BE(box.length, 0)
  box.write('sidx', 4, 'latin1')
  // Version 1: times and offsets of 64 bits.
  box[8] = 1
  box.writeUInt32BE(id, 12)
  box.writeUInt32BE(timescale, 16)
  box.writeBigUInt64BE(BigInt(startTicks), 20)
  box.writeUInt16BE(entries.length, 38)
  entries.forEach(({ bytes, durationTicks }, index) => {
    const at = INDEX_HEADER_BYTES + index * ENTRY_BYTES
    box.writeUInt32BE(bytes, at)
    box.writeUInt32BE(durationTicks, at + 4)
  })
  return box
}

function freeBox(bytes: number): Buffer {
  const box = Buffer.alloc(bytes)
  box.writeUInt32BE(bytes, 0)
  box.write('free', 4, 'latin1')
  return box
}
