import { type IncomingMessage } from 'node:http'

/** So many pieces may be small; more are taken only where they hold so much each, on average. */
const MAX_SMALL_PIECES = 1_000
const MIN_BYTES_PER_PIECE = 256

/**
 * Calls `onTooMany` once when a chunked body is cut into pieces of some bytes: each of them costs as much as a large one, and a megabyte
 * of them kept everybody waiting for seconds. Counted where Node's parser hands them over, so that it holds no matter which code reads the body, or
 * nobody.
 */
export function watchPieces(request: IncomingMessage, onTooMany: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const push = request.push.bind(request)
  let pieces = 0
  let bytes = 0
  let isOver = false
  request.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
    if (isOver) return false
    pieces += 1
    bytes += piece?.length ?? 0
    if (pieces <= MAX_SMALL_PIECES || bytes >= pieces * MIN_BYTES_PER_PIECE) return push(piece, encoding)
    isOver = true
    onTooMany()
    return false
  }
}
