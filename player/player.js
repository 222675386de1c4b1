// Plays a stream: by WebRTC (WHEP) where that goes, by HLS where it does not, and says which and how late; with `from` or `to`
// what was recorded. Whatever is not about this page is in modules that the console takes too.
import { firstPicture } from './first-picture.js'
import { openWhep } from './open-whep.js'
import { refusalOf, Refused } from './refused.js'

const { root = '', path = '' } = document.body.dataset
const video = /** @type {HTMLVideoElement} */ (document.getElementById('video'))
const problem = byId('problem')
const stateText = byId('state')
const latencyText = byId('latency')
const given = new URLSearchParams(location.search)
const secret = given.get('token') ?? given.get('api_key')

const RETRY_MS = 2000

/**
 * @typedef {object} Playing
 * @property {() => void} stop
 * @property {Promise<unknown>} ended
 * @property {() => Promise<number | undefined>} latencyMs
 */

/** @type {Playing | undefined} */
let playing

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

/** @param {string} state @param {string} [sentence] */
function show(state, sentence = '') {
  document.body.dataset.state = state
  stateText.textContent = state
  problem.textContent = sentence
  problem.hidden = sentence === ''
  if (sentence) latencyText.textContent = ''
}

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {unknown} error */
function sentenceOf(error) {
  if (error instanceof Refused && error.code === 'api-key-missing')
    return 'Add ?token= with a read token, or ?api_key= with your key, to this address.'
  return /** @type {Error} */ (error).message
}

/** @returns {Promise<Playing>} */
const playWebrtc = () =>
  openWhep(video, `${root}webrtc/${path}/whep`, {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
    withSound: true,
  })

/** By modules that are not loaded where WebRTC goes. @returns {Promise<Playing>} */
async function playHls() {
  const [{ loadHls }, { HLS_FIRST_PICTURE_MS, openHls }] = await Promise.all([
    import('./load-hls.js'),
    import('./open-hls.js'),
  ])
  const query = secret ? `?${given.has('token') ? 'token' : 'api_key'}=${encodeURIComponent(secret)}` : ''
  const url = `${root}hls/${path}/index.m3u8${query}`
  const Hls = await loadHls(root)
  if (!Hls?.isSupported()) return playNativeHls(url, HLS_FIRST_PICTURE_MS)
  try {
    return await openHls(video, url, { Hls })
  } catch (error) {
    const response = await fetch(url)
    throw response.ok ? error : await refusalOf(response)
  }
}

/** @param {string} url @param {number} firstPictureMs @returns {Promise<Playing>} */
async function playNativeHls(url, firstPictureMs) {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) throw new Error('This browser plays no HLS either.')
  video.srcObject = null
  video.src = url
  video.play().catch(() => {})
  await firstPicture(video, firstPictureMs)
  const ended = new Promise((resolve) => video.addEventListener('error', resolve, { once: true }))
  return { stop: () => video.removeAttribute('src'), ended, latencyMs: async () => undefined }
}

/** What HLS could do no better: wrong key, nobody there. @param {unknown} error */
const isFinal = (error) => error instanceof Refused && [401, 403, 404].includes(error.status)

/** Shows by which way. */
async function playOnce() {
  try {
    playing = await playWebrtc()
    show('live by WebRTC')
  } catch (error) {
    if (isFinal(error)) throw error
    show('connecting by HLS …', sentenceOf(error))
    try {
      playing = await playHls()
      show('live by HLS')
    } catch (second) {
      const [first, other] = [sentenceOf(error), sentenceOf(second)]
      throw new Error(first === other ? first : `${first} By HLS: ${other}`)
    }
  }
  await playing.ended
}

async function run() {
  for (;;) {
    try {
      await playOnce()
      show('interrupted', 'The stream was interrupted.')
    } catch (error) {
      // Trying again would not help, and too many wrong keys lock a whole address out.
      if (error instanceof Refused && error.status === 403) return show('refused', sentenceOf(error))
      show('waiting', sentenceOf(error))
    }
    playing?.stop()
    await sleep(RETRY_MS)
  }
}

/** By modules that live needs none of. */
async function playPast() {
  const { play } = await import('./play-past.js')
  await play(video, { root, path, given, show, note: (sentence) => (latencyText.textContent = sentence) })
}

setInterval(async () => {
  const ms = await playing?.latencyMs()
  if (ms !== undefined && problem.hidden) latencyText.textContent = `${Math.round(ms)} ms behind the server`
}, 1000)
addEventListener('pagehide', () => playing?.stop())
document.title = `${path} – Aerie`
if (given.has('from') || given.has('to')) playPast()
else run()
