// Plays a stream: by WebRTC (WHEP) where that goes, by HLS where it does not, and says which and how late.
const { root, path } = document.body.dataset
const video = document.getElementById('video')
const problem = document.getElementById('problem')
const stateText = document.getElementById('state')
const latencyText = document.getElementById('latency')
const given = new URLSearchParams(location.search)
const secret = given.get('token') ?? given.get('api_key')

/** No way through for so long after an answer: a firewall eats it. */
const CONNECT_MS = 3000
/** No picture for so long: it cannot be shown. */
const FIRST_FRAME_MS = 6000
const SILENT_MS = 2500
/** hls.js may wait for ever for what a worker that died had promised. */
const STANDSTILL_MS = 8000
const RETRY_MS = 2000

/** What plays now, with the way to stop it. */
let playing = { stop() {} }

class Refused extends Error {
  constructor(status, sentence) {
    super(sentence)
    this.status = status
  }
}

function show(state, sentence = '') {
  document.body.dataset.state = state
  stateText.textContent = state
  problem.textContent = sentence
  problem.hidden = sentence === ''
  if (sentence) latencyText.textContent = ''
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function problemOf(response) {
  const details = await response.json().catch(() => ({}))
  if (details.code === 'api-key-missing')
    return new Refused(response.status, 'Add ?token= with a read token, or ?api_key= with your key, to this address.')
  return new Refused(response.status, details.detail ?? `The service answered ${response.status}.`)
}

/** Resolves when a picture is there; the answer tells how it goes on. */
async function playWebrtc() {
  if (!window.RTCPeerConnection) throw new Error('This browser has no WebRTC.')
  const connection = new RTCPeerConnection()
  let session
  let isStopped = false
  const stop = () => {
    if (isStopped) return
    isStopped = true
    const close = () => connection.close()
    // The goodbye first, since a connection that is closed ends the session as well. The page may be closing: keepalive lets
    // it out all the same. An answer that nobody reads would count as broken off.
    if (!session) return close()
    fetch(session, { method: 'DELETE', keepalive: true })
      .then((response) => response.arrayBuffer())
      .then(close, close)
  }
  try {
    connection.addTransceiver('video', { direction: 'recvonly' })
    connection.addTransceiver('audio', { direction: 'recvonly' })
    const stream = new MediaStream()
    connection.ontrack = ({ track, receiver }) => {
      if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0
      stream.addTrack(track)
    }
    await connection.setLocalDescription()
    const response = await fetch(`${root}webrtc/${path}/whep`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', ...(secret && { authorization: `Bearer ${secret}` }) },
      body: connection.localDescription.sdp,
    })
    if (!response.ok) throw await problemOf(response)
    session = new URL(response.headers.get('location'), response.url)
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
    video.srcObject = stream
    video.play().catch(() => {})
    await Promise.race([firstFrame(), unreachable(connection)])
  } catch (error) {
    stop()
    throw error
  }
  const broken = new Promise((resolve) => {
    connection.onconnectionstatechange = () => {
      if (['disconnected', 'failed', 'closed'].includes(connection.connectionState)) resolve()
    }
  })
  const ended = Promise.race([broken, silence(connection)])
  return { name: 'WebRTC', stop, ended, latencyMs: () => webrtcLatency(connection) }
}

/** Rejects when there is no way to the server; otherwise never settles. */
function unreachable(connection) {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new Error('WebRTC does not get through to the server.'))
    const timer = setTimeout(fail, CONNECT_MS)
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'connected') clearTimeout(timer)
      if (connection.connectionState === 'failed') fail()
    })
  })
}

function firstFrame() {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('No picture came through.')), FIRST_FRAME_MS)
    const done = () => (clearTimeout(timer), resolve())
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(done)
    else video.addEventListener('timeupdate', done, { once: true })
  })
}

/** The server reports every second; the browser itself would take three times as long to find its silence odd. */
function silence(connection) {
  return new Promise((resolve) => {
    let heard = { bytes: -1, at: 0 }
    const timer = setInterval(async () => {
      const stats = [...(await connection.getStats()).values()]
      const bytes = stats.find(({ type, nominated }) => type === 'candidate-pair' && nominated)?.bytesReceived
      if (bytes !== heard.bytes) heard = { bytes, at: Date.now() }
      else if (Date.now() - heard.at >= SILENT_MS) resolve(clearInterval(timer))
    }, 1000)
  })
}

/** From the server to the screen: half of the way there and back, and the wait in the buffer. */
async function webrtcLatency(connection) {
  let wayMs = 0
  let waitMs
  for (const stat of (await connection.getStats()).values()) {
    if (stat.type === 'candidate-pair' && stat.nominated) wayMs = (stat.currentRoundTripTime ?? 0) * 500
    if (stat.type !== 'inbound-rtp' || stat.kind !== 'video' || !stat.jitterBufferEmittedCount) continue
    const before = webrtcLatency.before ?? { delay: 0, count: 0 }
    const now = { delay: stat.jitterBufferDelay, count: stat.jitterBufferEmittedCount }
    webrtcLatency.before = now
    if (now.count > before.count) waitMs = ((now.delay - before.delay) / (now.count - before.count)) * 1000
  }
  return waitMs === undefined ? undefined : wayMs + waitMs
}

async function playHls() {
  const query = secret ? `?${given.has('token') ? 'token' : 'api_key'}=${encodeURIComponent(secret)}` : ''
  const url = `${root}hls/${path}/index.m3u8${query}`
  video.srcObject = null
  const Hls = await loadHls()
  if (!Hls?.isSupported()) return playNativeHls(url)
  // A player that fell behind plays faster until it has caught up, and keeps little more distance after a stall.
  const hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.2, liveSyncOnStallIncrease: 0.3 })
  const broken = new Promise((resolve) => {
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && resolve())
  })
  const stop = () => hls.destroy()
  hls.loadSource(url)
  hls.attachMedia(video)
  video.play().catch(() => {})
  const failed = broken.then(async () => {
    const response = await fetch(url)
    throw response.ok ? new Error('The stream cannot be decoded here.') : await problemOf(response)
  })
  try {
    await Promise.race([firstFrame(), failed])
  } catch (error) {
    stop()
    throw error
  }
  failed.catch(() => {})
  const ended = Promise.race([broken, standstill(broken)])
  return { name: 'HLS', stop, ended, latencyMs: async () => hls.latency * 1000 }
}

/** Resolves when the picture has not moved for a while, although it is looked at and not paused; looks until `over`. */
function standstill(over) {
  return new Promise((resolve) => {
    let seen = { frames: -1, at: 0 }
    const timer = setInterval(() => {
      // Not by the time: hls.js moves it on where it can't show anything.
      const frames = video.getVideoPlaybackQuality().totalVideoFrames
      const isMeantToMove = !video.paused && document.visibilityState === 'visible'
      if (frames !== seen.frames || !isMeantToMove) seen = { frames, at: Date.now() }
      else if (Date.now() - seen.at >= STANDSTILL_MS) resolve(clearInterval(timer))
    }, 1000)
    over.then(() => clearInterval(timer))
  })
}

async function playNativeHls(url) {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) throw new Error('This browser plays no HLS either.')
  video.src = url
  video.play().catch(() => {})
  await firstFrame()
  const ended = new Promise((resolve) => video.addEventListener('error', resolve, { once: true }))
  return { name: 'HLS', stop: () => video.removeAttribute('src'), ended, latencyMs: async () => undefined }
}

function loadHls() {
  if (window.Hls || !window.MediaSource) return window.Hls
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = `${root}hls.js`
    script.onload = () => resolve(window.Hls)
    script.onerror = () => resolve(undefined)
    document.head.append(script)
  })
}

/** What HLS could do no better: wrong key, nobody there. */
const isFinal = (error) => error instanceof Refused && [401, 403, 404].includes(error.status)

async function playOnce() {
  try {
    return await playWebrtc()
  } catch (error) {
    if (isFinal(error)) throw error
    show('connecting by HLS …', error.message)
    try {
      return await playHls()
    } catch (second) {
      throw new Error(`${error.message} By HLS: ${second.message}`)
    }
  }
}

async function run() {
  for (;;) {
    try {
      playing = await playOnce()
      show(`live by ${playing.name}`)
      await playing.ended
      show('interrupted', 'The stream was interrupted.')
    } catch (error) {
      // Trying again would not help, and too many wrong keys lock a whole address out.
      if (error.status === 403) return show('refused', error.message)
      show('waiting', error.message)
    }
    playing.stop()
    await sleep(RETRY_MS)
  }
}

setInterval(async () => {
  const ms = await playing.latencyMs?.()
  if (ms !== undefined && problem.hidden) latencyText.textContent = `${Math.round(ms)} ms behind the server`
}, 1000)
addEventListener('pagehide', () => playing.stop())
document.title = `${path} – Aerie`
run()
