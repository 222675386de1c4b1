import { createAllowance } from '../core/allowance.ts'
import { type Clock } from '../core/clock.ts'

/** How often one connection may begin to play: each time a whole group of pictures is sent. */
export interface PlayPace {
  /** Resolves at once, or after a while for a connection that plays too often. */
  take(): Promise<void>
}

/** People press pause a few times in a row. */
const PLAYS = { burst: 10, perSecond: 1 }
const PLAY_DELAY_MS = 1_000

export function createPlayPace(clock: Pick<Clock, 'steady' | 'sleep'>): PlayPace {
  const plays = createAllowance(PLAYS, clock)
  return {
    async take() {
      if (!plays.take()) await clock.sleep(PLAY_DELAY_MS)
    },
  }
}
