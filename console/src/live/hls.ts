import { root } from '../service.ts'
import { standstill } from './standstill.ts'

/** A stream that plays by HLS in a video element. */
export interface HlsSession {
  /** When the picture that is shown was taken. */
  playingAtMs(): number | undefined
  readonly ended: Promise<void>
  stop(): void
}

/** Rejects when the browser can't play it, or nothing comes. */
export async function openHls(video: HTMLVideoElement, path: string, signal: AbortSignal): Promise<HlsSession> {
  // Only those need it who can't have WebRTC.
  const { default: Hls } = await import('hls.js/light')
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
    await Promise.race([
      new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true })),
      failed,
    ])
  } catch (error) {
    stop()
    throw error
  }
  failed.catch(() => undefined)
  const ended = Promise.race([broken, standstill(video, over.signal)])
  return { playingAtMs: () => hls.playingDate?.getTime(), ended, stop }
}
