/** A playlist of what was recorded, as tests read it: by themselves, and not by what they test. */
export interface ListedPiece {
  readonly address: string
  /** Seconds from the playlist's beginning. */
  readonly start: number
  readonly duration: number
  /** When it was, in ms. */
  readonly takenAtMs: number
}

export interface VodPlaylist {
  readonly text: string
  readonly pieces: readonly ListedPiece[]
  readonly totalSeconds: number
  /** Those before which something is missing. */
  readonly afterGaps: readonly ListedPiece[]
  /** When the picture at a place was taken. */
  readonly dateAt: (seconds: number) => number
  /** Where what was taken then is; behind a gap, of what is in it. */
  readonly placeOf: (ms: number) => number
}

/** Files follow each other to a picture or two. */
const MIN_GAP_MS = 1_000

export async function readVodPlaylist(url: string): Promise<VodPlaylist> {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  const pieces: ListedPiece[] = []
  let takenAtMs = NaN
  let start = 0
  for (const [, date, length, address] of text.matchAll(/DATE-TIME:(.+)|EXTINF:([\d.]+),\n(.+)/g)) {
    if (date) takenAtMs = Date.parse(date)
    if (!length) continue
    const duration = Number(length)
    pieces.push({ address: new URL(address!, url).href, start, duration, takenAtMs })
    start += duration
    takenAtMs += duration * 1000
  }
  const isAfterGap = (piece: ListedPiece, index: number) => {
    const before = pieces[index - 1]
    return before !== undefined && piece.takenAtMs - (before.takenAtMs + before.duration * 1000) > MIN_GAP_MS
  }
  return {
    text,
    pieces,
    totalSeconds: start,
    afterGaps: pieces.filter(isAfterGap),
    placeOf(ms) {
      const piece = pieces.find(({ takenAtMs: at, duration }) => ms < at + duration * 1000)!
      return piece.start + Math.max(0, ms - piece.takenAtMs) / 1000
    },
    dateAt(seconds) {
      const piece = pieces.findLast((one) => one.start <= seconds)!
      return piece.takenAtMs + (seconds - piece.start) * 1000
    },
  }
}
