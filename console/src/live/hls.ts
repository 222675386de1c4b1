import { root } from '../service.ts'
import { standstill } from './standstill.ts'

/** A stream that plays by HLS in a video element. */
export interface HlsSession {
  /** When the picture that is shown was taken. */
  playingAtMs(): number | undefined
  readonly ended: Promise<void>
  stop(): void
}

/** The playlist waits for the first whole segment, which a slow source takes long to fill. */
const FIRST_PICTURE_MS = 20_000

/** Rejects when the browser can't play it, nothing comes, or nobody waits for it any more. */
export async function openHls(video: HTMLVideoElement, path: string, signal: AbortSignal): Promise<HlsSession> {
  // Only those need it who can't have WebRTC.
  const { default: Hls } = await import('hls.js/light')
  signal.throwIfAborted()
  if (!Hls.isSupported()) throw new Error('This browser plays no HLS.')
  const hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.2 })
  const over = new AbortController()
  const stop = () => {
    over.abort()
    hls.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  const broken = new Promise<void>((resolve) => {
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && resolve())
  })
  hls.loadSource(`${root}/hls/${path}/index.m3u8`)
  hls.attachMedia(video)
  const failed = broken.then(() => Promise.reject(new Error('The stream cannot be played by HLS.')))
  try {
    await Promise.race([firstPicture(video, over.signal), failed])
  } catch (error) {
    stop()
    throw error
  }
  failed.catch(() => undefined)
  const ended = Promise.race([broken, standstill(video, over.signal)])
  return { playingAtMs: () => hls.playingDate?.getTime(), ended, stop }
}

function firstPicture(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('Nothing comes by HLS.'))
    const timer = setTimeout(fail, FIRST_PICTURE_MS)
    video.addEventListener('loadeddata', () => (clearTimeout(timer), resolve()), { once: true, signal })
    signal.addEventListener('abort', () => (clearTimeout(timer), fail()), { once: true })
  })
}
