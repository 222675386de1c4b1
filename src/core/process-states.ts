/**
 * The life of a process:
 *
 *   starting ─▶ running ⇄ paused
 *                  ⇅
 *             reconnecting            any of these ─▶ stopping ─▶ stopped, or at once finished or failed
 */
export const liveStates = ['starting', 'running', 'paused', 'reconnecting', 'stopping'] as const
export const endStates = ['stopped', 'finished', 'failed'] as const
export type LiveState = (typeof liveStates)[number]
export type EndState = (typeof endStates)[number]
export type ProcessState = LiveState | EndState
