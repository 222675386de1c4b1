import { type Frame, MAX_DATA_BYTES } from './frame.ts'
import { type WindowBudget } from './window-budget.ts'

/** What one end may send before the other's reader has taken any of it. */
export const FIRST_WINDOW_BYTES = 32 * 1024
/** Where the reader keeps up and its node has room, its window grows to this: so much of a tunnel may lie in the memory of its reader. */
export const MAX_WINDOW_BYTES = 512 * 1024
/** What a frame takes of the window beside its data: one byte alone is no cheaper to keep. */
export const FRAME_COST_BYTES = 256
/** Of a window: credit is given in pieces of this, or there would be one frame back for each that came. */
const CREDIT_SHARE = 1 / 4

/**
 *                 end sent                    end received
 *   open ──────────────────▶ sent-end ──────────────────────▶ ended
 *    │ end received                                             ▲
 *    └─────────────────────▶ got-end ───────────────────────────┤ end sent
 *                               │ reset: nobody reads what we send; what has come is still ours
 *                               └─────────────────────────────▶ ended
 *   any but ended ── reset, a gap, or what the rules forbid ──▶ broken
 */
export type TunnelPhase = 'open' | 'sent-end' | 'got-end' | 'ended' | 'broken'

/** What a frame means for this end. */
export type TunnelEvent =
  | { readonly type: 'data'; readonly bytes: Buffer }
  | { readonly type: 'end' }
  | { readonly type: 'credit' }
  /** The other end reads no more; what it has sent is whole. */
  | { readonly type: 'peer-gone' }
  /** The other end has closed it before it had said all. */
  | { readonly type: 'reset' }
  | { readonly type: 'broken'; readonly reason: string }
  | { readonly type: 'nothing' }

/** One end of a tunnel, without its messages and streams: in what phase it is, and how much may be sent. */
export interface TunnelEnd {
  readonly phase: TunnelPhase
  /** What one frame of data may hold now; 0 when there is no credit for any. */
  readonly sendableBytes: number
  onFrame(frame: Frame | 'gap'): TunnelEvent
  sentData(bytes: number): void
  sentEnd(): void
  /** The reader has taken a frame with so much data. */
  taken(bytes: number): void
  /** What should be given back to the other end now; 0 while it is not worth a frame. */
  readonly dueCredit: number
  sentCredit(bytes: number): void
  /** Nothing comes or goes any more: what its window had of the budget is others'. */
  close(): void
}

export function createTunnelEnd(budget: WindowBudget): TunnelEnd {
  let phase: TunnelPhase = 'open'
  let credit = FIRST_WINDOW_BYTES
  /** What the other end may send, with what is on its way, waits for the reader, or is owed. */
  let window = FIRST_WINDOW_BYTES
  /** Of that: what waits for the reader. */
  let occupied = 0
  let owed = 0

  function broken(reason: string): TunnelEvent {
    phase = 'broken'
    return { type: 'broken', reason }
  }

  function onData(bytes: Buffer): TunnelEvent {
    if (phase === 'got-end') return broken('data came after the end.')
    occupied += bytes.length + FRAME_COST_BYTES
    if (occupied > window) return broken('more came than there was room for.')
    return { type: 'data', bytes }
  }

  function onEnd(): TunnelEvent {
    if (phase === 'got-end') return broken('two ends came.')
    phase = phase === 'sent-end' ? 'ended' : 'got-end'
    return { type: 'end' }
  }

  function onReset(): TunnelEvent {
    const isWhole = phase === 'got-end'
    phase = isWhole ? 'ended' : 'broken'
    return { type: isWhole ? 'peer-gone' : 'reset' }
  }

  function grow(): void {
    if (window >= MAX_WINDOW_BYTES || owed < window * CREDIT_SHARE) return
    const more = budget.take(Math.min(window, MAX_WINDOW_BYTES - window))
    window += more
    owed += more
  }

  /** By what is not given back to the other end. */
  function shrink(bytes: number): void {
    window -= bytes
    owed -= bytes
    budget.giveBack(bytes)
  }

  return {
    get phase() {
      return phase
    },
    get sendableBytes() {
      if (phase !== 'open' && phase !== 'got-end') return 0
      return Math.max(0, Math.min(MAX_DATA_BYTES, credit - FRAME_COST_BYTES))
    },
    onFrame(frame) {
      if (phase === 'ended' || phase === 'broken') return { type: 'nothing' }
      if (frame === 'gap') return broken('something was lost on the way.')
      switch (frame.type) {
        case 'data':
          return onData(frame.bytes)
        case 'end':
          return onEnd()
        case 'reset':
          return onReset()
        case 'credit':
          credit += frame.bytes
          return credit > MAX_WINDOW_BYTES ? broken('more credit came than was spent.') : { type: 'credit' }
        case 'alive':
          return { type: 'nothing' }
      }
    },
    sentData: (bytes) => void (credit -= bytes + FRAME_COST_BYTES),
    sentEnd() {
      if (phase === 'open') phase = 'sent-end'
      else if (phase === 'got-end') phase = 'ended'
    },
    taken(bytes) {
      occupied -= bytes + FRAME_COST_BYTES
      owed += bytes + FRAME_COST_BYTES
      if (budget.isShort) shrink(Math.min(owed, window - FIRST_WINDOW_BYTES))
      else grow()
    },
    get dueCredit() {
      // Who has ended sends nothing more.
      const isOfUse = phase === 'open' || phase === 'sent-end'
      return isOfUse && owed >= window * CREDIT_SHARE ? owed : 0
    },
    sentCredit: (bytes) => void (owed -= bytes),
    close() {
      phase = phase === 'ended' ? 'ended' : 'broken'
      shrink(window - FIRST_WINDOW_BYTES)
    },
  }
}
