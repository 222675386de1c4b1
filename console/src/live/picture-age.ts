import { type ProcessInfo, type SourceRecord } from '@aerie/client'
import { agoWords } from '../time-words.ts'

/** The last picture that there was, when it is so old that one might take it for the present. */
export interface OldPicture {
  readonly takenAt: string
  /** When it was asked for. */
  readonly ageMs: number
}

/** A slow stream, or a moment without a link, is no reason to say anything. */
export const STALE_MS = 5_000

/**
 * A preview and the feed are the process's own pictures; where the source itself is shown, that goes on while a worker is started
 * again. A process that is paused by its user does not look at its pictures, and its video goes on.
 */
export function oldPictureOf(process: ProcessInfo, shownSource: SourceRecord | undefined): OldPicture | undefined {
  if (process.state === 'paused' && process.error === null) return undefined
  const isSourceKnown = (shownSource?.last_frame_age_ms ?? null) !== null
  const { last_frame_at: takenAt, last_frame_age_ms: ageMs } = isSourceKnown ? shownSource! : process
  return takenAt === null || ageMs === null || ageMs <= STALE_MS ? undefined : { takenAt, ageMs }
}

export const oldPictureWords = (takenAt: string, ageMs: number) =>
  `Last picture ${new Date(takenAt).toLocaleTimeString()}, ${agoWords(ageMs)}`
