import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { type Size } from '../core/detection.ts'
import { type BlockHead, decodeBlock, MAX_BLOCK_RAW_BYTES, payloadOf, readBlockHeads } from '../core/look-blocks.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type OverlayTrack } from '../pipeline/overlay/overlay-track.ts'

/** What was seen around a moment, to be drawn: of each process its own. */
export interface DrawnLooks {
  /** Milliseconds since the epoch, which only grow. */
  at(timeMs: number): { readonly inputSize: Size; readonly tracks: readonly OverlayTrack[] }[]
}

/** Dates of pictures and of looks are rounded. */
const EARLY_MS = 5
/** A look is shown until the next one should have come, and for so long at most. */
const MAX_AGE_MS = 3_000
const PACES = 1.5
/** Where it has no other look near it. */
const DEFAULT_PACE_MS = 1_000

/** From files of blocks, one for each process. */
export function openDrawnLooks(files: readonly string[]): DrawnLooks {
  const processes = files.map((file) => createLooksOf(readFileSync(file)))
  return { at: (timeMs) => processes.flatMap((looksAt) => looksAt(timeMs) ?? []) }
}

function createLooksOf(file: Buffer) {
  const heads = readBlockHeads(file).heads.toSorted((a, b) => a.firstAtMs - b.firstAtMs)
  const decoded = new Map<BlockHead, readonly RecordedLook[]>()

  function looksOf(head: BlockHead): readonly RecordedLook[] {
    const known = decoded.get(head)
    if (known) return known
    const payload = inflateRawSync(payloadOf(file, head), { maxOutputLength: MAX_BLOCK_RAW_BYTES })
    const looks = decodeBlock(payload).toSorted((a, b) => a.takenAtMs - b.takenAtMs)
    decoded.set(head, looks)
    return looks
  }

  /** Those of the blocks around a moment; what lies behind is let go of. */
  function around(timeMs: number): RecordedLook[] {
    for (const head of decoded.keys()) if (head.lastAtMs < timeMs - 2 * MAX_AGE_MS) decoded.delete(head)
    const near = heads.filter(
      ({ firstAtMs, lastAtMs }) => firstAtMs <= timeMs + MAX_AGE_MS && lastAtMs >= timeMs - MAX_AGE_MS,
    )
    return near.flatMap(looksOf).toSorted((a, b) => a.takenAtMs - b.takenAtMs)
  }

  return (timeMs: number) => {
    const looks = around(timeMs)
    const index = looks.findLastIndex(({ takenAtMs }) => takenAtMs <= timeMs + EARLY_MS)
    const look = looks[index]
    if (!look) return undefined
    const before = looks[index - 1]
    const paceMs = before ? look.takenAtMs - before.takenAtMs : DEFAULT_PACE_MS
    if (timeMs - look.takenAtMs > Math.min(MAX_AGE_MS, PACES * paceMs)) return undefined
    return { inputSize: { width: look.width, height: look.height }, tracks: look.tracks.map(toOverlayTrack) }
  }
}

function toOverlayTrack({ id, className, confidence, box, point }: RecordedLook['tracks'][number]): OverlayTrack {
  const place = point && { latitude: point.latitudeDeg, longitude: point.longitudeDeg }
  return { id, className, confidence, box, ...place }
}
