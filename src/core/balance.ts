/** What is in an account's book, in seconds. */
export interface Balance {
  readonly remainingSeconds: number
  readonly consumedSeconds: number
  readonly pendingSeconds: number
}
