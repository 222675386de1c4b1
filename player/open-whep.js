import { firstPicture } from './first-picture.js'
import { refusalOf } from './refused.js'

/** No way through for so long after an answer: a firewall eats it. By TCP, which is tried after UDP, it takes a while. */
const CONNECT_MS = 4000
/** No picture for so long: it cannot be shown. */
const FIRST_PICTURE_MS = 6000
/** A radio link that is away for a moment comes back sooner than a new session would. */
const SILENT_MS = 4000
const LOOK_EVERY_MS = 1000
const OVER = ['disconnected', 'failed', 'closed']

/**
 * @typedef {object} WhepOptions
 * @property {Record<string, string>} [headers] with the credentials, where no cookie goes along
 * @property {boolean} [withSound]
 * @property {number} [delayMs] how long the browser should hold pictures back
 * @property {AbortSignal} [signal]
 * @property {typeof globalThis.fetch} [fetch] another one, for whoever wants to know what is under way
 *
 * @typedef {object} WhepSession A stream that plays by WebRTC.
 * @property {MediaStream} stream
 * @property {(ms: number) => void} setDelay
 * @property {() => Promise<number | undefined>} latencyMs from the server to the screen
 * @property {Promise<void>} ended resolves when nothing comes any more
 * @property {() => void} stop
 */

/**
 * Plays a WHEP address in a video element. Resolves when a picture is there, rejects when there is no way through. An abort
 * while the service answers takes effect when the answer is there: only then it is known which session to delete.
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {WhepOptions} [options]
 * @returns {Promise<WhepSession>}
 */
export async function openWhep(video, url, options = {}) {
  const { headers, withSound = false, delayMs = 0, signal, fetch = globalThis.fetch } = options
  signal?.throwIfAborted()
  if (!globalThis.RTCPeerConnection) throw new Error('This browser has no WebRTC.')
  const connection = new RTCPeerConnection()
  const stream = new MediaStream()
  const over = new AbortController()
  /** @type {string | undefined} */
  let session
  const stop = () => {
    if (over.signal.aborted) return
    over.abort()
    const close = () => connection.close()
    // The goodbye first, since a connection that is closed ends the session as well.
    if (session) sayGoodbye(session, fetch).then(close, close)
    else close()
  }
  /** @param {number} ms */
  const setDelay = (ms) => {
    for (const receiver of connection.getReceivers())
      if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = ms
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    connection.addTransceiver('video', { direction: 'recvonly' })
    if (withSound) connection.addTransceiver('audio', { direction: 'recvonly' })
    connection.ontrack = ({ track }) => stream.addTrack(track)
    setDelay(delayMs)
    await connection.setLocalDescription()
    // Nothing was asked yet, so there is nothing to take leave of.
    signal?.throwIfAborted()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', ...headers },
      body: /** @type {RTCSessionDescription} */ (connection.localDescription).sdp,
    })
    if (!response.ok) throw await refusalOf(response)
    const address = new URL(/** @type {string} */ (response.headers.get('location')), response.url).href
    if (over.signal.aborted) await sayGoodbye(address, fetch)
    else session = address
    signal?.throwIfAborted()
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
    await connected(connection, over.signal)
    video.srcObject = stream
    video.play().catch(() => {})
    await firstPicture(video, FIRST_PICTURE_MS, over.signal)
  } catch (error) {
    stop()
    if (video.srcObject === stream) video.srcObject = null
    throw error
  }
  return { stream, setDelay, latencyMs: latencyOf(connection), ended: ended(connection, over.signal), stop }
}

/**
 * The page may be closing: keepalive lets it out all the same. An answer that nobody reads would count as broken off.
 * @param {string} session
 * @param {typeof globalThis.fetch} fetch
 */
async function sayGoodbye(session, fetch) {
  const response = await fetch(session, { method: 'DELETE', keepalive: true })
  await response.arrayBuffer()
}

/**
 * A connection that we close ourselves says nothing of it: the signal does.
 * @param {RTCPeerConnection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function connected(connection, signal) {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer)
      reject(new Error('WebRTC does not get through to the server.'))
    }
    const timer = setTimeout(fail, CONNECT_MS)
    signal.addEventListener('abort', fail, { once: true })
    const look = () => {
      if (!['connected', 'failed', 'closed'].includes(connection.connectionState)) return
      clearTimeout(timer)
      if (connection.connectionState === 'connected') resolve()
      else fail()
    }
    connection.addEventListener('connectionstatechange', look)
    if (signal.aborted) fail()
    else look()
  })
}

/**
 * By all that comes, not by pictures alone, of which a slow stream has few: the server reports every second. The browser itself
 * takes long to find its silence odd.
 * @param {RTCPeerConnection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function ended(connection, signal) {
  return new Promise((resolve) => {
    /** @type {{ bytes: number | undefined, at: number }} */
    let heard = { bytes: -1, at: 0 }
    const timer = setInterval(async () => {
      const bytes = chosenPair(await statsOf(connection))?.bytesReceived
      if (bytes !== heard.bytes) heard = { bytes, at: performance.now() }
      else if (performance.now() - heard.at >= SILENT_MS) finish()
    }, LOOK_EVERY_MS)
    const finish = () => (clearInterval(timer), resolve())
    const look = () => OVER.includes(connection.connectionState) && finish()
    connection.addEventListener('connectionstatechange', look)
    signal.addEventListener('abort', finish, { once: true })
    if (signal.aborted) finish()
    else look()
  })
}

/** @param {readonly any[]} stats @returns {RTCIceCandidatePairStats | undefined} */
const chosenPair = (stats) => stats.find(({ type, nominated }) => type === 'candidate-pair' && nominated)

/** @param {RTCPeerConnection} connection */
const statsOf = async (connection) => [...(await connection.getStats()).values()]

/**
 * Half of the way there and back, and the wait in the buffer since the last question.
 * @param {RTCPeerConnection} connection
 */
function latencyOf(connection) {
  let before = { delay: 0, count: 0 }
  return async () => {
    const stats = await statsOf(connection)
    const video = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
    const { delay, count } = before
    before = { delay: video?.jitterBufferDelay ?? 0, count: video?.jitterBufferEmittedCount ?? 0 }
    if (before.count <= count) return undefined
    const wayMs = (chosenPair(stats)?.currentRoundTripTime ?? 0) * 500
    return wayMs + ((before.delay - delay) / (before.count - count)) * 1000
  }
}
