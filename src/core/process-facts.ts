/**
 * The life of a process:
 *
 *   waiting ⇄ starting ─▶ running ⇄ paused
 *      ▲                     ⇅
 *      └─────────────── reconnecting     any of these ─▶ stopping ─▶ stopped, or at once finished or failed
 *
 * Only one that was started before its video waits for it.
 */
export const liveStates = ['waiting', 'starting', 'running', 'paused', 'reconnecting', 'stopping'] as const
export const endStates = ['stopped', 'finished', 'failed'] as const
export type LiveState = (typeof liveStates)[number]
export type EndState = (typeof endStates)[number]
export type ProcessState = LiveState | EndState
export const processStates = [...liveStates, ...endStates] as const

/** Whether it goes on. */
export function isLive(state: string): state is LiveState {
  return (liveStates as readonly string[]).includes(state)
}

/** Which process it is, and whose. */
export interface ProcessRef {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
}

/** What others may want to know of a process that goes on. */
export interface ProcessFacts extends ProcessRef {
  /** Of files nothing is recorded. */
  readonly sourceType: 'file' | 'stream'
  readonly isTracking: boolean
  /** Pictures of tracks are made. */
  readonly keepsPictures: boolean
  /** The only classes that it looks for; null for all of its model. */
  readonly classes: readonly string[] | null
}
