import { type ProcessInfo } from '@aerie/client'

/** What is said of a process when its state or its problem changes, and once at the beginning. */
export interface StatusMessage {
  readonly process_uuid: string
  readonly state: string
  readonly problem: string | null
}

/**
 * Whether a process is not as it is shown. A problem that goes on may be said in new words every second: those have time until
 * the next round.
 */
export const isNews = (status: StatusMessage, shown: ProcessInfo) =>
  status.state !== shown.state || (status.problem === null) !== (shown.problem === null)
