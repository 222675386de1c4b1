import { type DetectionMessage } from '@aerie/client'
import { openHls } from '../../../player/open-hls.js'
import { openWhep, type WhepSession } from '../../../player/open-whep.js'
import { Refused } from '../../../player/refused.js'
import { trackRequest } from '../pending-requests.ts'
import { root } from '../service.ts'
import { sleep } from '../sleep.ts'
import { rtpMsBetween, type SceneBuffer } from './scene-buffer.ts'
import { createSyncDelay } from './sync-delay.ts'
import { type Ways } from './ways.ts'

/** By which way the picture comes. */
export type Way = 'connecting' | 'WebRTC' | 'HLS' | 'MJPEG'

export interface LivePlayerOptions {
  readonly video: HTMLVideoElement
  /** On the media server. */
  readonly path: string
  /** A small picture is enough. */
  readonly isPreview: boolean
  /** For the source's video; a preview comes by WebRTC everywhere. */
  readonly ways: () => Ways
  readonly scenes: SceneBuffer
  /** A picture is on the screen, and this is what was seen in it. */
  readonly onPicture: (scene: DetectionMessage | undefined) => void
  readonly onWay: (way: Way) => void
  readonly signal: AbortSignal
}

export interface LivePlayer {
  /** A scene has come, which shows whether pictures are held back long enough. */
  noteScene(scene: DetectionMessage): void
}

const RETRY_MS = 2_000
const MJPEG_MS = 20_000

/** Plays by WebRTC, else by HLS, else leaves it to motion JPEG for a while; goes on until the signal aborts. */
export function startLivePlayer(options: LivePlayerOptions): LivePlayer {
  const { video, path, scenes, onPicture, signal } = options
  let way: Way | undefined
  let shownRtp: number | undefined
  let setDelay: (ms: number) => void = () => undefined
  const delay = createSyncDelay((ms) => setDelay(ms))

  /** After the abort the next player uses the same element and reports its own way. */
  function report(next: Way): void {
    if (signal.aborted) return
    way = next
    options.onWay(next)
  }

  const openPath = (wanted: string) =>
    openWhep(video, `${root}/webrtc/${wanted}/whep`, { delayMs: delay.targetMs, signal, fetch: trackedFetch })

  /** The preview, where there is one. */
  async function openSession(): Promise<WhepSession> {
    const openSource = () => (options.ways().isByWebRtc ? openPath(path) : Promise.reject(new Error('Not by WebRTC.')))
    if (!options.isPreview) return openSource()
    return openPath(`${path}/~preview`).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.status !== 404) throw error
      return openSource()
    })
  }

  async function playWhep(): Promise<void> {
    const session = await openSession()
    setDelay = session.setDelay
    report('WebRTC')
    const stopLooking = onEveryFrame(video, ({ rtpTimestamp }) => {
      shownRtp = rtpTimestamp
      onPicture(rtpTimestamp === undefined ? scenes.newest : scenes.atRtp(rtpTimestamp))
    })
    await session.ended
    stopLooking()
    session.stop()
    shownRtp = undefined
    if (video.srcObject === session.stream) video.srcObject = null
  }

  async function playHls(): Promise<void> {
    signal.throwIfAborted()
    if (!options.ways().isByHls) throw new Error('Not by HLS.')
    // Only those need it who can't have WebRTC.
    const { default: Hls } = await import('hls.js/light')
    const session = await openHls(video, `${root}/hls/${path}/index.m3u8`, { Hls, signal })
    report('HLS')
    const stopLooking = onEveryFrame(video, () => {
      const takenAtMs = session.playingAtMs()
      onPicture(takenAtMs === undefined ? scenes.newest : scenes.atTime(takenAtMs))
    })
    await session.ended
    stopLooking()
    session.stop()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // Motion JPEG stays until there is something better.
      if (way !== 'MJPEG') report('connecting')
      const isPlayed = await playWhep().then(
        () => true,
        () =>
          playHls().then(
            () => true,
            () => false,
          ),
      )
      if (signal.aborted) return
      report(isPlayed ? 'connecting' : 'MJPEG')
      // What was seen last would float over nothing.
      onPicture(undefined)
      await sleep(isPlayed ? RETRY_MS : MJPEG_MS, signal)
    }
  }

  void run()
  return {
    noteScene({ frame }) {
      if (shownRtp !== undefined && frame.rtp_timestamp !== null)
        delay.noteScene(rtpMsBetween(shownRtp, frame.rtp_timestamp))
    },
  }
}

const trackedFetch: typeof fetch = (...request) => trackRequest(fetch(...request))

function onEveryFrame(video: HTMLVideoElement, handler: (frame: VideoFrameCallbackMetadata) => void): () => void {
  let isStopped = false
  const next = (_now: number, frame: VideoFrameCallbackMetadata) => {
    if (isStopped) return
    handler(frame)
    video.requestVideoFrameCallback(next)
  }
  video.requestVideoFrameCallback(next)
  return () => void (isStopped = true)
}
