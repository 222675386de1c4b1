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
