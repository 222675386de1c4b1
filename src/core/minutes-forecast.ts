import { type Balance, secondsLeft } from './balance.ts'

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
