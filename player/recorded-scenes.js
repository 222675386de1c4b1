import { refusalOf, Refused } from './refused.js'

/** So much is asked for at a time, so much ahead of the picture, and so many of them are kept. */
const WINDOW_MS = 60_000
const AHEAD_MS = 20_000
const KEPT_WINDOWS = 5
/** After trouble that passes, and of what is still being written. */
const RETRY_MS = 5_000
/** Boxes stand until the next are due, and a little longer; older ones would only mislead. */
const MIN_STALE_MS = 700
const MAX_STALE_MS = 3_000
const STALE_PACES = 1.5
/** Scenes by which the detector's pace is judged. */
const PACE_SCENES = 6
/** Half a frame's time: wall clocks are in whole milliseconds. */
const TOLERANCE_MS = 10
/** Asking again would not help. */
const FINAL = [401, 403, 404, 422]

/**
 * @typedef {object} RecordedScene What a process saw in a picture, as `GET /source/{source_uuid}/detections` has it.
 * @property {string} timestamp
 * @property {string} process_uuid
 * @property {readonly import('./draw-boxes.js').DrawnTrack[]} active_tracks
 *
 * @typedef {object} RecordedScenes
 * @property {(ms: number) => RecordedScene[]} scenesAt what was seen in the picture of that time, or in the last one before it: one for each
 *   process that looked. Fetches what it takes for this moment and the next ones.
 * @property {() => Error | undefined} problem why there are none now
 * @property {() => void} stop
 *
 * @typedef {{ readonly askedAtMs: number, readonly isWhole: boolean, scenes: readonly (RecordedScene & { readonly ms: number })[] }} Window
 */

/**
 * What was seen at moments of the past, fetched a little ahead of a picture that plays.
 * @param {(from: string, to: string) => string} urlOf the address of what was seen between two times
 * @param {{ headers?: Record<string, string>, changed?: () => void, now?: () => number }} [options] headers with the credentials, where no
 *   cookie goes along; `changed` is called when `scenesAt` may have more to say of the same moment, as of a picture that stands still
 * @returns {RecordedScenes}
 */
export function recordedScenes(urlOf, { headers = {}, changed = () => {}, now = Date.now } = {}) {
  /** @type {Map<number, Window>} The one that was needed last is the last. */
  const windows = new Map()
  const over = new AbortController()
  /** @type {Error | undefined} */
  let problem

  /** @param {number} startMs */
  function need(startMs) {
    const known = windows.get(startMs)
    if (known) {
      windows.delete(startMs)
      windows.set(startMs, known)
    }
    const isDue = !known || (!known.isWhole && now() - known.askedAtMs >= RETRY_MS)
    const isFinal = problem instanceof Refused && FINAL.includes(problem.status)
    if (!isDue || isFinal || over.signal.aborted || startMs > now()) return
    /** @type {Window} */
    const asked = { askedAtMs: now(), isWhole: false, scenes: known?.scenes ?? [] }
    windows.set(startMs, asked)
    for (const [oldest] of windows) if (windows.size > KEPT_WINDOWS) windows.delete(oldest)
    void fetchWindow(startMs).then(
      (scenes) => {
        problem = undefined
        // What ends in the future is asked for again.
        if (windows.get(startMs) === asked)
          windows.set(startMs, { ...asked, scenes, isWhole: startMs + WINDOW_MS <= asked.askedAtMs })
        if (!over.signal.aborted) changed()
      },
      (error) => {
        if (over.signal.aborted) return
        problem = error
        changed()
      },
    )
  }

  /** @param {number} startMs */
  async function fetchWindow(startMs) {
    const url = urlOf(new Date(startMs).toISOString(), new Date(startMs + WINDOW_MS).toISOString())
    const response = await fetch(url, { headers, signal: over.signal })
    if (!response.ok) throw await refusalOf(response)
    const scenes = /** @type {RecordedScene[]} */ (await response.json())
    return scenes.map((scene) => ({ ...scene, ms: Date.parse(scene.timestamp) }))
  }

  return {
    scenesAt(ms) {
      const startMs = Math.floor(ms / WINDOW_MS) * WINDOW_MS
      need(startMs)
      if (ms + AHEAD_MS >= startMs + WINDOW_MS) need(startMs + WINDOW_MS)
      // What was seen just before may stand at the end of the window before.
      const nearby = [startMs - WINDOW_MS, startMs].flatMap((start) => windows.get(start)?.scenes ?? [])
      return latestOfEach(nearby, ms + TOLERANCE_MS)
    },
    problem: () => problem,
    stop: () => over.abort(),
  }
}

/**
 * @param {readonly (RecordedScene & { readonly ms: number })[]} scenes by time
 * @param {number} ms
 * @returns {RecordedScene[]}
 */
function latestOfEach(scenes, ms) {
  const before = scenes.filter((scene) => scene.ms <= ms && scene.ms > ms - MAX_STALE_MS * PACE_SCENES)
  const processes = new Set(before.map(({ process_uuid }) => process_uuid))
  return [...processes].flatMap((id) => {
    const own = before.filter(({ process_uuid }) => process_uuid === id).slice(-PACE_SCENES)
    const gaps = own.slice(1).map((scene, index) => scene.ms - /** @type {typeof scene} */ (own[index]).ms)
    const paceMs = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
    const staleMs = Math.min(MAX_STALE_MS, Math.max(MIN_STALE_MS, STALE_PACES * paceMs))
    const last = own.at(-1)
    return last && ms - last.ms <= staleMs ? [last] : []
  })
}
