/** `waiting` is between two tries. */
export type OutputState = 'connecting' | 'sending' | 'waiting'

/** How it stands with an output. */
export interface OutputStatus {
  readonly state: OutputState
  /** What is wrong. */
  readonly error: string | null
}
