import { type QuietHours, type TurnRequest } from '../core/contact.ts'
import { isQuiet } from '../core/quiet-hours.ts'
import { type Held, isCounted, withOneMore } from './held.ts'

/** How a contact stands with its turns. */
export interface TurnState {
  readonly quietHours: QuietHours | null
  readonly maxPerMinute: number
  /** When the running minute began, and how many had a turn in it. */
  readonly minuteAt: number | null
  readonly minuteSent: number
  readonly lastTurnId: string | null
  readonly held: Held | null
}

const MINUTE_MS = 60_000

export interface TurnDecision {
  readonly outcome: 'send' | 'held'
  /** What changes by it. */
  readonly change: Partial<Pick<TurnState, 'minuteAt' | 'minuteSent' | 'lastTurnId' | 'held'>>
}

/** Whether a message may be sent now. Pure, so it is tested without a database. */
export function decideTurn(
  state: TurnState,
  { messageId, label, nowMs }: Pick<TurnRequest, 'messageId' | 'label' | 'nowMs'>,
): TurnDecision {
  if (state.lastTurnId === messageId) return { outcome: 'send', change: {} }
  if (isCounted(state.held, messageId)) return { outcome: 'held', change: {} }
  const isRunning = isMinuteRunning(state, nowMs)
  const sent = isRunning ? state.minuteSent : 0
  if (isQuiet(state.quietHours, nowMs) || sent >= state.maxPerMinute)
    return { outcome: 'held', change: { held: withOneMore(state.held, messageId, label, nowMs) } }
  const minuteAt = isRunning ? state.minuteAt : nowMs
  return { outcome: 'send', change: { minuteAt, minuteSent: sent + 1, lastTurnId: messageId } }
}

/** Those who ask come in any order, and the clocks of nodes differ a little; one that is a minute earlier was set back, and has begun another. */
function isMinuteRunning({ minuteAt }: Pick<TurnState, 'minuteAt'>, nowMs: number): boolean {
  return minuteAt !== null && Math.abs(nowMs - minuteAt) < MINUTE_MS
}

/** Whether what was held back is to be summed up now. */
export function isSumDue(state: TurnState, nowMs: number): boolean {
  if (!state.held) return false
  if (state.held.leaving) return true
  const isFull = isMinuteRunning(state, nowMs) && state.minuteSent >= state.maxPerMinute
  return state.held.sum.count > 0 && !isFull && !isQuiet(state.quietHours, nowMs)
}
