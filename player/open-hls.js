import { firstPicture } from './first-picture.js'
import { standstill } from './standstill.js'
import { stayLive } from './stay-live.js'

/** The playlist waits for the first whole segment, which a slow source takes long to fill. */
export const HLS_FIRST_PICTURE_MS = 20_000

/**
 * @typedef {object} HlsSession A stream that plays by HLS.
 * @property {() => number | undefined} playingAtMs when the picture that is shown was taken
 * @property {() => Promise<number | undefined>} latencyMs
 * @property {Promise<void>} ended
 * @property {() => void} stop
 */

/**
 * Plays a playlist in a video element. Resolves when a picture is there; rejects when the browser can't play it, nothing comes, or
 * nobody waits for it any more.
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {{ Hls: typeof import('hls.js').default, signal?: AbortSignal }} options hls.js as the page has loaded it
 * @returns {Promise<HlsSession>}
 */
export async function openHls(video, url, { Hls, signal }) {
  signal?.throwIfAborted()
  if (!Hls.isSupported()) throw new Error('This browser plays no HLS.')
  // A player that fell behind plays faster until it has caught up, and keeps little more distance after a stall.
  const hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.2, liveSyncOnStallIncrease: 0.3 })
  const over = new AbortController()
  const stop = () => {
    over.abort()
    hls.destroy()
  }
  signal?.addEventListener('abort', stop, { once: true })
  /** @type {Promise<void>} */
  const broken = new Promise((resolve) => {
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && resolve())
  })
  video.srcObject = null
  hls.loadSource(url)
  hls.attachMedia(video)
  video.play().catch(() => {})
  const failed = broken.then(() => Promise.reject(new Error('The stream cannot be decoded here.')))
  try {
    await Promise.race([firstPicture(video, HLS_FIRST_PICTURE_MS, over.signal), failed])
  } catch (error) {
    stop()
    throw error
  }
  failed.catch(() => {})
  stayLive(hls, video, over.signal)
  return {
    playingAtMs: () => hls.playingDate?.getTime(),
    latencyMs: async () => hls.latency * 1000,
    ended: Promise.race([broken, standstill(video, over.signal)]),
    stop,
  }
}
