import { rounded } from '../core/numbers.ts'
import { type OpenReport } from './reports.service.ts'

/** A form in which a report leaves the service: pieces of text, made as they are taken. */
export interface ReportFormat {
  readonly mediaType: string
  /** Of the file that a browser saves; none for what is read by programs. */
  readonly extension: string | null
  readonly wantsBoxes: boolean
  readonly wantsPlaces: boolean
  write(report: OpenReport): AsyncIterable<string>
}

/** Texts of about this length are sent together: a write for each track would cost more than the track. */
const PIECE_CHARACTERS = 64 * 1024

/** Joins small pieces. The first goes at once, since somebody waits for it. */
export async function* inLargerPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let joined = ''
  let isFirst = true
  for await (const piece of pieces) {
    joined += piece
    if (!isFirst && joined.length < PIECE_CHARACTERS) continue
    yield joined
    joined = ''
    isFirst = false
  }
  if (joined) yield joined
}

/** The highest, lowest and mean of a track's confidences. */
export function spreadOf(confidences: readonly number[]): { max: number; min: number; mean: number } {
  let [max, min, sum] = [-Infinity, Infinity, 0]
  for (const confidence of confidences) {
    if (confidence > max) max = confidence
    if (confidence < min) min = confidence
    sum += confidence
  }
  return { max, min, mean: rounded(sum / confidences.length, 2) }
}
