import { firstPicture } from './first-picture.js'
import { refusalOf } from './refused.js'
import { dateAt, piecesOf, placeOf } from './vod-times.js'

/** A node may have to fetch the first piece from an object store. */
const FIRST_PICTURE_MS = 20_000

/**
 * @typedef {object} VodSession Recorded time that plays.
 * @property {() => number | undefined} playingAtMs when the picture that is shown was taken
 * @property {(ms: number) => void} seekTo goes to what was taken then; in a gap to what comes after it
 * @property {Promise<Error | undefined>} ended resolves when it can't go on, with the reason; without one when it was stopped. The end of
 *   the playlist is none: whoever watches may go back.
 * @property {() => void} stop
 */

/**
 * Plays what was recorded, by the address of a `vod.m3u8`, in a video element. Resolves when a picture is there; rejects with the
 * service's own sentence where there is nothing, or nobody may see it.
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {{ Hls?: typeof import('hls.js').default, fromMs?: number, signal?: AbortSignal }} [options] hls.js as the page has loaded it;
 *   without it the browser has to play HLS by itself
 * @returns {Promise<VodSession>}
 */
export async function openVod(video, url, { Hls, fromMs, signal } = {}) {
  signal?.throwIfAborted()
  const over = new AbortController()
  const player = Hls?.isSupported() ? attachHls(video, url, Hls, fromMs) : await attachNative(video, url, fromMs)
  const stop = () => {
    over.abort()
    player.detach()
  }
  signal?.addEventListener('abort', stop, { once: true })
  video.play().catch(() => {})
  try {
    const failed = player.broken.then((error) => Promise.reject(error))
    await Promise.race([firstPicture(video, FIRST_PICTURE_MS, over.signal), failed])
  } catch (error) {
    stop()
    throw error
  }
  /** @type {Promise<undefined>} */
  const stopped = new Promise((resolve) => {
    over.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    if (over.signal.aborted) resolve(undefined)
  })
  return {
    playingAtMs: () => dateAt(player.pieces(), video.currentTime),
    seekTo(ms) {
      video.currentTime = placeOf(player.pieces(), ms)
    },
    ended: Promise.race([player.broken, stopped]),
    stop,
  }
}

/**
 * @typedef {object} AttachedPlayer
 * @property {() => readonly import('./vod-times.js').TimedPiece[]} pieces
 * @property {Promise<Error>} broken
 * @property {() => void} detach
 */

/**
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {typeof import('hls.js').default} Hls
 * @param {number | undefined} fromMs
 * @returns {AttachedPlayer}
 */
function attachHls(video, url, Hls, fromMs) {
  const hls = new Hls({ autoStartLoad: false })
  // As the service lists them: hls.js moves its own as it learns more of the media.
  /** @type {import('./vod-times.js').TimedPiece[]} */
  let pieces = []
  /** @type {Promise<Error>} */
  const broken = new Promise((resolve) => {
    hls.on(Hls.Events.ERROR, (_event, { fatal, frag, error }) => {
      if (fatal) void reasonOf(frag?.url ?? url, error).then(resolve)
    })
  })
  hls.on(Hls.Events.MANIFEST_PARSED, (_event, { levels }) => {
    pieces = piecesOf(levels[0]?.details?.m3u8 ?? '')
    // Without a place it begins where the playlist says.
    hls.startLoad(fromMs === undefined ? -1 : placeOf(pieces, fromMs))
  })
  video.srcObject = null
  hls.loadSource(url)
  hls.attachMedia(video)
  return { pieces: () => pieces, broken, detach: () => hls.destroy() }
}

/**
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {number | undefined} fromMs
 * @returns {Promise<AttachedPlayer>}
 */
async function attachNative(video, url, fromMs) {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) throw new Error('This browser plays no HLS.')
  const response = await fetch(url)
  if (!response.ok) throw await refusalOf(response)
  const pieces = piecesOf(await response.text())
  const detached = new AbortController()
  /** @type {Promise<Error>} */
  const broken = new Promise((resolve) => {
    const explain = () => void reasonOf(url, video.error).then(resolve)
    video.addEventListener('error', explain, { once: true, signal: detached.signal })
  })
  video.srcObject = null
  video.src = url
  if (fromMs !== undefined) video.currentTime = placeOf(pieces, fromMs)
  return {
    pieces: () => pieces,
    broken,
    detach() {
      detached.abort()
      video.removeAttribute('src')
      video.load()
    },
  }
}

/**
 * Players know a status at most, the service has a sentence.
 * @param {string} url what could not be had, or played
 * @param {unknown} cause
 * @returns {Promise<Error>}
 */
async function reasonOf(url, cause) {
  const response = await fetch(url).catch(() => undefined)
  if (!response) return new Error('The service cannot be reached.', { cause })
  if (!response.ok) return refusalOf(response)
  await response.body?.cancel()
  return new Error('The recording cannot be decoded here.', { cause })
}
