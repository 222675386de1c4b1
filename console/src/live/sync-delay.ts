/**
 * How long the picture is held back so that its boxes are there when it is shown. Detection takes a moment longer than the
 * video's own way; as little more than that as possible is waited.
 */
export interface SyncDelay {
  /** A scene came, so many milliseconds before its picture is shown; negative when that was shown already. */
  noteScene(earlyMs: number, nowMs?: number): void
  readonly targetMs: number
}

const FIRST_MS = 250
const MAX_MS = 2_000
/** How early the boxes should be. */
const MARGIN_MS = 60
/** After so many scenes it is looked whether they come in time; of a slow detector after so long, by a few. */
const ROUND = 12
const FEW = 3
const ROUND_MS = 2_000

export function createSyncDelay(onChange: (targetMs: number) => void): SyncDelay {
  let targetMs = FIRST_MS
  let early: number[] = []
  let begunMs = 0

  return {
    noteScene(earlyMs, nowMs = performance.now()) {
      if (early.length === 0) begunMs = nowMs
      early.push(earlyMs)
      if (early.length < ROUND && (early.length < FEW || nowMs - begunMs < ROUND_MS)) return
      // One straggler in a dozen may miss its picture.
      const nearlyLatest = early.sort((a, b) => a - b)[early.length < ROUND ? 0 : 1]!
      early = []
      const bounded = Math.round(Math.min(MAX_MS, Math.max(0, targetMs + changeFor(nearlyLatest))))
      if (Math.abs(bounded - targetMs) < 15) return
      targetMs = bounded
      onChange(targetMs)
    },
    get targetMs() {
      return targetMs
    },
  }
}

/** Up at once, down slowly: a picture that jumps is worse than one that is a little late. */
function changeFor(earlyMs: number): number {
  if (earlyMs < MARGIN_MS) return MARGIN_MS - earlyMs
  return -Math.min(50, Math.max(0, earlyMs - 2 * MARGIN_MS))
}
