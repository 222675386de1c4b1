import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type ScenePicture } from '../core/track-picture.ts'

/** Pictures of the frames in which tracks were found, at one process; made only of those that are asked for. With null they show all tracks. */
export interface TrackScenes {
  /** A JPEG in base64; null until it is there, if ever. The first call asks the pipeline for it. */
  base64Of(trackId: number | null, takenAtMs: number): string | null
  /** Resolves when it is there; with null when there is none, or it does not come in time. */
  whenThere(trackId: number | null, takenAtMs: number): Promise<string | null>
  add(picture: ScenePicture): void
}

interface Asked {
  base64: string | null
  readonly arrived: Deferred<void>
}

/** What was asked for, longest ago first to go: it is taken within seconds. */
const MAX_SCENES = 50
/** Of what has come, likewise. */
const MAX_CHARS = 1_000_000
const MAX_BYTES = 192 * 1024
/** The pipeline says where there is none: longer takes only one that is on its way, on a machine that has little time for it. */
const TIMEOUT_MS = 15_000

export function createTrackScenes(
  request: (trackId: number | null, takenAtMs: number) => void,
  clock: Pick<Clock, 'sleep'>,
): TrackScenes {
  const scenes = new Map<string, Asked>()
  let chars = 0
  const keyOf = (trackId: number | null, takenAtMs: number) => `${trackId} ${takenAtMs}`

  function ask(trackId: number | null, takenAtMs: number): Asked {
    const key = keyOf(trackId, takenAtMs)
    const known = scenes.get(key)
    if (known) return known
    const asked: Asked = { base64: null, arrived: createDeferred() }
    scenes.set(key, asked)
    if (scenes.size > MAX_SCENES) dropOldest()
    request(trackId, takenAtMs)
    return asked
  }

  function dropOldest(): void {
    const [key, { base64, arrived }] = scenes.entries().next().value!
    scenes.delete(key)
    chars -= base64?.length ?? 0
    arrived.resolve()
  }

  return {
    base64Of: (trackId, takenAtMs) => ask(trackId, takenAtMs).base64,
    async whenThere(trackId, takenAtMs) {
      const asked = ask(trackId, takenAtMs)
      if (asked.base64 === null) await isSettledWithin(asked.arrived.promise, TIMEOUT_MS, clock)
      return asked.base64
    },
    add({ trackId, takenAtMs, jpeg }) {
      const asked = scenes.get(keyOf(trackId, takenAtMs))
      if (!asked || asked.base64 !== null) return
      if (!jpeg || jpeg.length > MAX_BYTES) return asked.arrived.resolve()
      // One text for all alerts that found the track in this frame.
      asked.base64 = Buffer.from(jpeg).toString('base64')
      chars += asked.base64.length
      while (chars > MAX_CHARS) dropOldest()
      asked.arrived.resolve()
    },
  }
}
