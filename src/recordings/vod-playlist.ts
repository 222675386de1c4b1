import { toZulu } from '../core/clock.ts'
import { type RecordedFile, type Stretch } from '../core/recorded-time.ts'

/** The files between which a playlist leads, as one even line of time, whatever is missing between them. */

export type VodContainer = 'mp4' | 'ts'

export interface VodOptions {
  readonly container: VodContainer
  /** From the playlist's address to the service's root: `../../../`. */
  readonly root: string
  readonly tokenOf: (sourceId: string) => string
}

/** What a playlist lists: some groups of pictures of a file. */
interface Piece {
  readonly fromMs: number
  readonly toMs: number
  readonly fromByte: number
  readonly toByte: number
}

interface PlacedFile {
  readonly file: RecordedFile
  readonly pieces: readonly Piece[]
}

const MIN_PIECE_MS = 4_000
/** Of a stretch that is longer than this, so that there are no more pieces than players read at once. */
const LONG_STRETCH_MS = 6 * 3_600_000
const LONG_PIECE_MS = 8_000
/** The last picture of a file has no length: up to so much before the next file is its own. */
const MAX_LAST_PICTURE_MS = 200
/** A camera that sends faster than time passes, as from what it has kept, is ahead by no more; what goes on so makes no longer line of time. */
const MAX_AHEAD_MS = 10_000
/** Media time begins here and not at 0, since pictures may be decoded, and sound heard, a little before the first that is shown. */
const MEDIA_ORIGIN_MS = 10_000

/** A playlist of what there is of a stretch (RFC 8216); undefined where that is nothing. */
export function renderVod(files: readonly RecordedFile[], stretch: Stretch, options: VodOptions): string | undefined {
  const minMs = stretch.to - stretch.from > LONG_STRETCH_MS ? LONG_PIECE_MS : MIN_PIECE_MS
  const placed = placeFiles(files, stretch, minMs)
  const [first] = placed
  if (!first) return undefined
  const lines: string[] = []
  let placeMs = 0
  let maxMs = 0
  for (const [at, { file, pieces }] of placed.entries()) {
    const [{ fromMs }] = pieces as readonly [Piece]
    const hasOtherFormat = at === 0 || formatOf(file) !== formatOf(placed[at - 1]!.file)
    if (hasOtherFormat && at > 0) lines.push('#EXT-X-DISCONTINUITY')
    if (hasOtherFormat && options.container === 'mp4')
      lines.push(`#EXT-X-MAP:URI="${addressOf(file, 'init.mp4', options)}"`)
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${toZulu(file.startedAt + fromMs)}`)
    const baseMs = MEDIA_ORIGIN_MS + placeMs - fromMs
    const lastMs = lastPictureMs(file, pieces.at(-1)!, placed[at + 1])
    for (const [index, piece] of pieces.entries()) {
      const lengthMs = piece.toMs - piece.fromMs + (index === pieces.length - 1 ? lastMs : 0)
      const suffix = options.container === 'ts' ? 'ts' : 'm4s'
      const name = `${piece.fromByte}-${piece.toByte}-${baseMs}.${suffix}`
      lines.push(`#EXTINF:${(lengthMs / 1000).toFixed(3)},`, addressOf(file, name, options))
      placeMs += lengthMs
      maxMs = Math.max(maxMs, lengthMs)
    }
  }
  const aheadMs = stretch.from - (first.file.startedAt + first.pieces[0]!.fromMs)
  return [...head(maxMs, aheadMs), ...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

function head(maxMs: number, aheadMs: number): string[] {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(maxMs / 1000))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(aheadMs > 0 ? [`#EXT-X-START:TIME-OFFSET=${(aheadMs / 1000).toFixed(3)},PRECISE=YES`] : []),
  ]
}

function addressOf({ id, sourceId }: RecordedFile, name: string, { root, tokenOf }: VodOptions): string {
  return `${root}recorded/${id}-${name}?token=${tokenOf(sourceId)}`
}

/** What was recorded twice, as where a recorder began anew with pictures that the one before had written, is played once but for a group. */
function placeFiles(files: readonly RecordedFile[], { from, to }: Stretch, minMs: number): PlacedFile[] {
  const placed: PlacedFile[] = []
  let endedAt = -Infinity
  for (const file of files) {
    const pieces = cut(file, { from: Math.max(from, endedAt), to }, minMs)
    const last = pieces.at(-1)
    if (!last) continue
    placed.push({ file, pieces })
    endedAt = Math.max(endedAt, file.startedAt + last.toMs)
  }
  return placed
}

/** The groups that overlap a stretch, as many to a piece as it takes to be so long. */
function cut(file: RecordedFile, { from, to }: Stretch, minMs: number): Piece[] {
  const pieces: { -readonly [K in keyof Piece]: Piece[K] }[] = []
  for (const group of groupsOf(file)) {
    if (file.startedAt + group.toMs <= from || file.startedAt + group.fromMs >= to) continue
    const last = pieces.at(-1)
    if (last && last.toMs - last.fromMs < minMs) Object.assign(last, { toMs: group.toMs, toByte: group.toByte })
    else pieces.push({ ...group })
  }
  return pieces
}

/** A file that can't be cut is one piece. */
function groupsOf(file: RecordedFile): Piece[] {
  const { index, sizeBytes } = file
  const lengthMs = lengthOf(file)
  if (lengthMs <= 0) return []
  if (!index) return [{ fromMs: 0, toMs: lengthMs, fromByte: 0, toByte: sizeBytes }]
  return index.groups.flatMap(({ ms, byte }, at) => {
    const next = index.groups[at + 1] ?? { ms: lengthMs, byte: index.end }
    return next.ms > ms ? [{ fromMs: ms, toMs: next.ms, fromByte: byte, toByte: next.byte }] : []
  })
}

/** No more counts as recorded than time has passed, but what is played after it must not begin before its samples end. */
function lengthOf({ durationMs, index }: RecordedFile): number {
  if (durationMs === null) return 0
  return Math.max(durationMs, Math.min(index?.mediaMs ?? 0, durationMs + MAX_AHEAD_MS))
}

function lastPictureMs(file: RecordedFile, last: Piece, next: PlacedFile | undefined): number {
  const { startedAt } = file
  const isWhole = last.toMs === lengthOf(file)
  const restMs = isWhole && next ? next.file.startedAt - (startedAt + last.toMs) : 0
  return restMs > 0 && restMs <= MAX_LAST_PICTURE_MS ? restMs : 0
}

/** Files of before there was an index say nothing of their format: those of a recording have one. */
function formatOf({ index, recordingId }: RecordedFile): string {
  return index?.initHash ?? recordingId
}
