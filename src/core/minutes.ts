import { z } from 'zod'

/** What is in an account's book, in seconds. */
export interface Balance {
  /** Consumption is counted, but takes nothing: neither use nor allocation ever ends for want of minutes. */
  readonly isUnlimited: boolean
  readonly remainingSeconds: number
  readonly consumedSeconds: number
  readonly pendingSeconds: number
}

/** How long a process of the account may still run. */
export function secondsLeft({ isUnlimited, remainingSeconds }: Balance): number {
  return isUnlimited ? Infinity : remainingSeconds
}

/** How long the minutes of an account last if what runs for it now goes on. */
export interface MinutesForecast {
  readonly remainingSeconds: number
  readonly runningProcesses: number
  /** Null when nothing uses any, or they have no end; 0 when there are none. */
  readonly lastsSeconds: number | null
  /** Less than a day. */
  readonly isLow: boolean
}

const LOW_BELOW_SECONDS = 86_400

/** Every running process uses a second a second. */
export function forecastMinutes(balance: Balance, runningProcesses: number): MinutesForecast {
  const left = secondsLeft(balance)
  const seconds = left <= 0 ? 0 : Math.floor(left / runningProcesses)
  const lastsSeconds = Number.isFinite(seconds) ? seconds : null
  const isLow = lastsSeconds !== null && lastsSeconds < LOW_BELOW_SECONDS
  return { remainingSeconds: balance.remainingSeconds, runningProcesses, lastsSeconds, isLow }
}

/** An account with limits has less than a day of minutes left, and these processes run on them. */
export interface MinutesLow {
  readonly accountId: string
  readonly processIds: readonly string[]
  readonly remainingSeconds: number
  /** What remains and what was consumed: use leaves it as it is, and only minutes that are added raise it. */
  readonly allottedSeconds: number
  readonly lastsSeconds: number
}

/** What is sent of it, by webhook and by server-sent event alike. */
export const minutesLowFields = {
  remaining_minutes: z.number().int().describe('Of the key, for all of its processes together.'),
  lasts_minutes: z.number().int().describe('How long they last if what runs now goes on.'),
  running_processes: z.number().int().describe('Of the key, each of which uses a minute a minute.'),
}

export function toMinutesLowFields({ processIds, remainingSeconds, lastsSeconds }: MinutesLow) {
  return {
    // Use may overrun what remains by as long as it takes to stop what runs.
    remaining_minutes: Math.max(0, Math.floor(remainingSeconds / 60)),
    lasts_minutes: Math.floor(lastsSeconds / 60),
    running_processes: processIds.length,
  }
}

/**
 * Whether to warn somebody who was last warned when so much had been allotted: once, and again only after minutes were added.
 * What remains does not say that: it is just below a day at every first warning, however many were added in between.
 */
export function isWarningNew({ allottedSeconds }: MinutesLow, warnedAllottedSeconds: number | null): boolean {
  return warnedAllottedSeconds === null || allottedSeconds > warnedAllottedSeconds
}
