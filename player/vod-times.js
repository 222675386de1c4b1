/**
 * Gaps take no time in a playlist of recordings: what was when, and where that is in it.
 * @typedef {object} TimedPiece
 * @property {number} start seconds from the playlist's beginning
 * @property {number} duration seconds
 * @property {number | null} programDateTime ms
 */

/** Browsers round a place in what they play, to the microsecond at best: what is sought may be a hair before it. */
const ROUNDING_SECONDS = 0.001

/**
 * When the picture at a place in the playlist was taken; undefined before the first, and where nobody has said.
 * @param {readonly TimedPiece[]} pieces in their order
 * @param {number} seconds
 * @returns {number | undefined}
 */
export function dateAt(pieces, seconds) {
  const piece = pieces.findLast(({ start }) => start <= seconds + ROUNDING_SECONDS)
  if (!piece || piece.programDateTime === null) return undefined
  return piece.programDateTime + Math.min(Math.max(0, seconds - piece.start), piece.duration) * 1000
}

/**
 * Where a moment is in the playlist, in seconds: for one in a gap what comes after it, and the beginning or the end for one outside.
 * @param {readonly TimedPiece[]} pieces
 * @param {number} ms
 * @returns {number}
 */
export function placeOf(pieces, ms) {
  const piece = pieces.find(({ programDateTime, duration }) => ms < (programDateTime ?? NaN) + duration * 1000)
  if (piece) return piece.start + Math.max(0, ms - /** @type {number} */ (piece.programDateTime)) / 1000
  const last = pieces.at(-1)
  return last ? last.start + last.duration : 0
}

/**
 * What a playlist lists (RFC 8216 §4.3.2).
 * @param {string} playlist
 * @returns {TimedPiece[]}
 */
export function piecesOf(playlist) {
  /** @type {TimedPiece[]} */
  const pieces = []
  /** @type {number | null} */
  let date = null
  let start = 0
  for (const [, name, value] of playlist.matchAll(/^#(EXTINF|EXT-X-PROGRAM-DATE-TIME):([^,\r\n]+)/gm)) {
    if (name !== 'EXTINF') date = Date.parse(/** @type {string} */ (value))
    else {
      const duration = Number(value)
      pieces.push({ start, duration, programDateTime: date })
      start += duration
      if (date !== null) date += duration * 1000
    }
  }
  return pieces
}
