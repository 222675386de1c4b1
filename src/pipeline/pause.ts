import { systemClock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type Picture } from './picture.ts'
import { type Stage } from './stage.ts'

/** Between two pictures of a file. */
const MAX_GAP_MS = 10_000

/** The user's switch, and what each kind of source does about it. */
export interface PauseSwitch {
  readonly isPaused: boolean
  set(isPaused: boolean): void
  /** Resolves at once while nothing is paused. */
  resumed(): Promise<void>
}

export function createPauseSwitch(isPaused: boolean): PauseSwitch {
  let gate: Deferred<void> | undefined = isPaused ? createDeferred() : undefined
  return {
    get isPaused() {
      return gate !== undefined
    },
    set(paused) {
      if (paused) gate ??= createDeferred()
      else {
        gate?.resolve()
        gate = undefined
      }
    },
    resumed: async () => gate?.promise,
  }
}

/**
 * Files: they wait at their picture. `realtime` shows each picture when its time has come, counted from the first one and
 * without the pauses.
 */
export function keepPace(pace: 'realtime' | 'fast', pause: PauseSwitch, signal: AbortSignal): Stage<Picture, Picture> {
  return async function* (pictures) {
    let startMs: number | undefined
    for await (const picture of pictures) {
      if (pause.isPaused) {
        await pause.resumed()
        startMs = undefined
      }
      startMs ??= performance.now() - picture.timeMs
      let aheadMs = startMs + picture.timeMs - performance.now()
      // Damaged files jump in time; nobody wants to wait for that.
      if (aheadMs > MAX_GAP_MS) {
        startMs -= aheadMs
        aheadMs = 0
      }
      if (pace === 'realtime' && aheadMs > 0) await systemClock.sleep(aheadMs, signal)
      yield picture
    }
  }
}
