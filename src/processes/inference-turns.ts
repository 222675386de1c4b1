import { type Clock } from '../core/clock.ts'
import { type Priority } from './process.ts'

/**
 * Who may use the model now. More models at work than there are cores only take each other's time, so a few workers have a
 * turn and the others wait for theirs: those first who had the least time for their weight. A worker that has just had a turn has
 * something to do before it wants the next one; where it would be the next all the same, its slot is kept for it so long.
 */
export interface InferenceTurns {
  /** `onTurn` is called for every turn that is wanted, when it has come. */
  join(priority: Priority, onTurn: () => void): TurnTaker
}

/** One worker. */
export interface TurnTaker {
  want(): void
  /** The oldest turn that it has is over. */
  over(): void
  /** It is gone, and so are its turns. */
  leave(): void
}

export interface InferenceTurnsOptions {
  /** How many have a turn at the same time. */
  readonly slots: number
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** Of one that has not ended its turn by now the slot is taken back: it hangs, or its model takes its time, and nobody else is to wait for it. */
const MAX_TURN_MS = 2_000

/** Of two that both want more than there is, one has so many times as much as the other. */
const WEIGHTS: Record<Priority, number> = { low: 0.25, normal: 1, high: 4 }

/** One that comes back later than this waits for its pictures, and the slot is better used by another. */
const MAX_KEPT_MS = 20

/** One that always comes back soon saves up no more than this, however long there was enough for everybody. */
const MAX_SAVED_MS = 2_000

interface Taker {
  readonly weight: number
  readonly onTurn: () => void
  /** When its turns began. */
  readonly turns: number[]
  wanted: number
  /** The time that it had, by its weight. */
  usedMs: number
  /** When its last turn was over; undefined once it wants the next. */
  overMs: number | undefined
  /** It wanted its last turn soon after the one before. */
  comesBackSoon: boolean
}

export function createInferenceTurns({ slots, clock }: InferenceTurnsOptions): InferenceTurns {
  const takers = new Set<Taker>()
  const listWaiting = () => [...takers].filter(({ wanted }) => wanted > 0)
  let free = slots
  /** What those had who were next so far. */
  let reachedMs = 0
  let isWatching = false
  let isKeeping = false

  function grant(): void {
    for (;;) {
      const next = nextOf(listWaiting())
      if (!next) return
      const awaited = listAwaited(next)
      if (awaited.length >= free) {
        if (free > 0) void keepSlots(awaited)
        break
      }
      next.wanted -= 1
      reachedMs = Math.max(reachedMs, next.usedMs)
      next.turns.push(clock.steady())
      free -= 1
      next.onTurn()
    }
    void watchOverdue()
  }

  /** Those who would be before this one if they had come back. */
  function listAwaited(next: Taker): Taker[] {
    const isAwaited = (taker: Taker) =>
      taker.comesBackSoon && keptUntilMs(taker) > clock.steady() && taker.usedMs < next.usedMs
    return [...takers].filter(isAwaited)
  }

  async function keepSlots(awaited: readonly Taker[]): Promise<void> {
    if (isKeeping) return
    isKeeping = true
    await clock.sleep(Math.ceil(Math.min(...awaited.map(keptUntilMs)) - clock.steady()))
    isKeeping = false
    grant()
  }

  /** For as long as somebody waits. */
  async function watchOverdue(): Promise<void> {
    if (isWatching) return
    isWatching = true
    while (free === 0 && listWaiting().length > 0) {
      await clock.sleep(MAX_TURN_MS)
      takeBackOverdue()
      grant()
    }
    isWatching = false
  }

  function end(taker: Taker): void {
    const begunMs = taker.turns.shift()
    if (begunMs === undefined) return
    taker.usedMs += (clock.steady() - begunMs) / taker.weight
    free += 1
  }

  function takeBackOverdue(): void {
    const overdueMs = clock.steady() - MAX_TURN_MS
    for (const taker of takers) while ((taker.turns[0] ?? Infinity) <= overdueMs) end(taker)
  }

  return {
    join(priority, onTurn) {
      const taker: Taker = {
        weight: WEIGHTS[priority],
        onTurn,
        turns: [],
        wanted: 0,
        usedMs: 0,
        overMs: undefined,
        comesBackSoon: false,
      }
      takers.add(taker)
      return {
        want() {
          if (taker.wanted === 0 && taker.turns.length === 0) {
            taker.comesBackSoon = taker.overMs !== undefined && clock.steady() - taker.overMs < MAX_KEPT_MS
            // Whoever is new, or wanted nothing for a while, has saved nothing up: the others would have to wait for all of it.
            const savedMs = taker.comesBackSoon ? MAX_SAVED_MS : 0
            taker.usedMs = Math.max(taker.usedMs, reachedMs - savedMs)
          }
          taker.wanted += 1
          taker.overMs = undefined
          grant()
        },
        over() {
          end(taker)
          if (taker.turns.length === 0 && taker.wanted === 0) taker.overMs = clock.steady()
          grant()
        },
        leave() {
          takers.delete(taker)
          while (taker.turns.length > 0) end(taker)
          grant()
        },
      }
    },
  }
}

const keptUntilMs = ({ overMs = -Infinity }: Taker): number => overMs + MAX_KEPT_MS

function nextOf(takers: readonly Taker[]): Taker | undefined {
  return takers.reduce<Taker | undefined>(
    (first, one) => (first && first.usedMs <= one.usedMs ? first : one),
    undefined,
  )
}
