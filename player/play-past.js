// The part of the page that plays what was recorded: the picture, what was seen in it, and when that was.
import { drawBoxes } from './draw-boxes.js'
import { loadHls } from './load-hls.js'
import { openVod } from './open-vod.js'
import { recordedScenes } from './recorded-scenes.js'
import { Refused } from './refused.js'
import { sourcesOnPath } from './sources-on-path.js'

const RETRY_MS = 2_000
/** Of the playlist: asking again would not help. */
const FINAL = [401, 403, 404, 422]

/**
 * @typedef {object} Past
 * @property {string} root of the service
 * @property {string} path `<username>/<stream path>`
 * @property {URLSearchParams} given of the page's address
 * @property {(state: string, sentence?: string) => void} show
 * @property {(sentence: string) => void} note what is missing beside the picture
 */

/**
 * Plays until it can't go on; what retention took meanwhile, or a right that is asked for anew, begins again where it was.
 * @param {HTMLVideoElement} video
 * @param {Past} past
 */
export async function play(video, { root, path, given, show, note }) {
  const secret = given.get('token') ?? given.get('api_key')
  /** @type {Record<string, string>} */
  const headers = secret ? { authorization: `Bearer ${secret}` } : {}
  const Hls = await loadHls(root)
  const overlay = createOverlay(video)
  let drawAgain = () => {}
  const boxes = await createBoxes({ root, path, headers, note, changed: () => drawAgain() })
  /** @type {number | undefined} */
  let lastMs
  for (;;) {
    show('connecting …')
    try {
      const session = await openVod(video, `${root}hls/${path}/vod.m3u8?${given}`, {
        ...(Hls && { Hls }),
        ...(lastMs !== undefined && { fromMs: lastMs }),
      })
      show('recorded')
      const draw = () => {
        const ms = session.playingAtMs()
        if (ms === undefined) return
        lastMs = ms
        overlay.draw(ms, boxes?.scenesAt(ms) ?? [])
        const problem = boxes?.problem()
        if (boxes) note(problem ? `No boxes: ${problem.message}` : '')
      }
      const stopDrawing = onEveryPicture(video, draw)
      // A picture that stands is there before what was seen in it.
      drawAgain = () => void (video.paused && draw())
      const reason = await session.ended
      drawAgain = () => {}
      stopDrawing()
      session.stop()
      show('interrupted', reason?.message)
    } catch (error) {
      const isFinal = error instanceof Refused && FINAL.includes(error.status)
      show(isFinal ? 'refused' : 'waiting', /** @type {Error} */ (error).message)
      if (isFinal) return
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/**
 * Undefined for who may see the picture only.
 * @param {Pick<Past, 'root' | 'path' | 'note'> & { headers: Record<string, string>, changed: () => void }} question
 */
async function createBoxes({ root, path, headers, note, changed }) {
  try {
    const [sourceId] = await sourcesOnPath(root, path, headers)
    if (sourceId !== undefined)
      return recordedScenes((from, to) => `${root}source/${sourceId}/detections?${new URLSearchParams({ from, to })}`, {
        headers,
        changed,
      })
    note('No boxes: none of your sources is at this path.')
  } catch (error) {
    note(`No boxes: ${/** @type {Error} */ (error).message}`)
  }
  return undefined
}

/**
 * A canvas that lies exactly over the picture, and a clock below it.
 * @param {HTMLVideoElement} video
 */
function createOverlay(video) {
  const canvas = document.createElement('canvas')
  canvas.ariaHidden = 'true'
  video.after(canvas)
  const clock = document.createElement('time')
  clock.id = 'clock'
  document.querySelector('footer')?.append(clock)
  const fit = () => {
    const { clientWidth, clientHeight, videoWidth, videoHeight } = video
    if (videoWidth === 0) return
    const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight) * devicePixelRatio
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
  }
  new ResizeObserver(fit).observe(video)
  video.addEventListener('resize', fit)
  fit()
  return {
    /** @param {number} ms @param {readonly import('./recorded-scenes.js').RecordedScene[]} scenes */
    draw(ms, scenes) {
      const date = new Date(ms)
      clock.dateTime = date.toISOString()
      clock.textContent = date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
      const tracks = scenes.flatMap(({ active_tracks }) => active_tracks)
      drawBoxes(canvas, tracks)
      const boxes = tracks.map(({ track_id, scaled_bbox }) => ({ track_id, box: scaled_bbox }))
      canvas.dispatchEvent(new CustomEvent('drawn', { detail: { taken_at_ms: ms, boxes }, bubbles: true }))
    },
  }
}

/**
 * At each picture that is shown, and at those that a seek has brought.
 * @param {HTMLVideoElement} video
 * @param {() => void} handler
 * @returns {() => void}
 */
function onEveryPicture(video, handler) {
  let isStopped = false
  const next = () => {
    if (isStopped) return
    handler()
    video.requestVideoFrameCallback(next)
  }
  next()
  return () => void (isStopped = true)
}
