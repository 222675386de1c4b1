import { type Alert } from './alert.ts'
import { type Happening } from './analyses/analysis.ts'
import { withoutPictures } from './happening-pictures.ts'
import { type SeenAt, type WatchedProcess } from './notification.ts'

/** A notification that is on its way to the delivery, and not yet surely there: sent again under its number, it is the same one. */
export interface Telling {
  readonly alert: Alert
  readonly happening: Happening
  readonly seenAt: SeenAt
  readonly sequence: number
}

/** What is to be told should the service end without a word: what goes on is over, and what waits for its time is released. */
export interface Unfinished {
  readonly alert: Alert
  readonly happenings: readonly Happening[]
  readonly seenAt: SeenAt
}

/** How far an alert at a process has come. Plain data: it is kept in the database, and a restart goes on from it. */
export interface Progress {
  readonly process: WatchedProcess
  readonly telling: readonly Telling[]
  readonly unfinished: Unfinished | null
}

export function isWorthKeeping({ telling, unfinished }: Progress): boolean {
  return telling.length > 0 || (unfinished?.happenings.length ?? 0) > 0
}

/**
 * As it is kept. Pictures would make it megabytes that are written anew with each one that comes: what is sent after a
 * crash goes without them.
 */
export function toStoredProgress({ process, telling, unfinished }: Progress): string {
  return JSON.stringify({
    process,
    telling: telling.map((one) => ({ ...one, happening: withoutPictures(one.happening) })),
    unfinished: unfinished && { ...unfinished, happenings: unfinished.happenings.map(withoutPictures) },
  })
}
