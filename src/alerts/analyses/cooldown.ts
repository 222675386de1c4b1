import { z } from 'zod'
import { type Scene } from '../../core/scene.ts'
import { type AlertEvent, type Analysis, type AnalysisDeps, type EarlierEvent, nothing } from './analysis.ts'
import { isQuiet } from './last-notification.ts'
import { MAX_SECONDS } from './seconds.schema.ts'

/** In the trigger of every type whose notifications could flood. */
export const CooldownSeconds = z
  .number()
  .min(0)
  .max(MAX_SECONDS)
  .default(10)
  .describe('What happens within this time after a notification comes together in the next one; 0 for each at once.')

/** What waits goes before its time rather than that more is held: so many events, or so many characters of them. */
const MAX_WAITING = 100
const MAX_WAITING_CHARS = 200_000

export type CooldownDeps = Pick<AnalysisDeps, 'lastNotification' | 'sceneOf'>

/** Spaces what an analysis finds: all that happens within the cooldown after an event goes out with the next one. */
export function withCooldown(
  analysis: Analysis,
  cooldownSeconds: number,
  { lastNotification: last, sceneOf }: CooldownDeps,
): Analysis {
  if (cooldownSeconds === 0) return analysis
  let waiting: EarlierEvent[] = []
  let waitingChars = 0
  /** Of the last scene. */
  let lastTakenAtMs = 0

  function gather(
    events: readonly AlertEvent[],
    { takenAtMs, detectedAtMs }: Pick<Scene, 'takenAtMs' | 'detectedAtMs'>,
  ) {
    for (const one of events) {
      waiting.push({ ...one, seenAt: { takenAtMs, detectedAtMs } })
      waitingChars += JSON.stringify(one.data).length
      // By the time at which it is sent, the frame may be gone.
      sceneOf(one.trackId ?? null, takenAtMs)
    }
  }

  function release(): readonly AlertEvent[] {
    if (waiting.length === 0) return nothing
    last.note(lastTakenAtMs)
    const released = together(waiting)
    waiting = []
    waitingChars = 0
    return released
  }

  return {
    update(scene) {
      lastTakenAtMs = scene.takenAtMs
      gather(analysis.update(scene), scene)
      const isFull = waiting.length >= MAX_WAITING || waitingChars >= MAX_WAITING_CHARS
      const mustWait = isQuiet(last, cooldownSeconds * 1000, lastTakenAtMs, waiting[0]?.seenAt.takenAtMs)
      return mustWait && !isFull ? nothing : release()
    },
    // Twice each: the event that ends something is one more that waits and one less that goes on, and the sum must change.
    get unfinished() {
      return analysis.unfinished + 2 * waiting.length
    },
    end: (reason) => [...together(waiting), ...analysis.end(reason)],
    /** Nobody knows when the next scene comes: what waits does not wait for it. */
    interrupt: () => [...release(), ...(analysis.interrupt?.() ?? nothing)],
  }
}

/** The newest, with those before it. */
function together(events: readonly EarlierEvent[]): readonly AlertEvent[] {
  const newest = events.at(-1)
  if (!newest) return nothing
  const earlier = events.slice(0, -1)
  return [{ ...newest, ...(earlier.length > 0 && { earlier }) }]
}
