/* eslint-disable @typescript-eslint/no-explicit-any -- much here runs in the page, whose globals are not Node's */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type Page } from 'playwright-core'

const script = new URL('../../node_modules/hls.js/dist/hls.min.js', import.meta.url)

/** A page of somebody else's site with hls.js on it: another origin than the service's. */
export interface PlayerPage {
  readonly origin: string
  close(): Promise<void>
}

export async function servePlayerPage(): Promise<PlayerPage> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/hls.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? readFileSync(script) : '<script src="/hls.js"></script><video muted autoplay width=160></video>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface Playing {
  /** The picture's, in seconds since playing began. */
  readonly timeSeconds: number
  readonly width: number
  /** A sample of the picture's brightness; two of a moving picture differ. */
  readonly pixels: readonly number[]
  /** Now minus the date of the picture, by the playlist. */
  readonly latencyMs: number | null
  readonly errors: readonly string[]
}

/** Begins to play in low-latency mode. */
export async function play(
  page: Page,
  origin: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<void> {
  await page.goto(origin)
  await page.evaluate(
    ({ url, headers }) => {
      const scope = globalThis as any
      scope.errors = []
      scope.hls = new scope.Hls({
        lowLatencyMode: true,
        enableWorker: false,
        // A player that fell behind catches up, and keeps no more distance after a stall (hls.js: a second for each).
        maxLiveSyncPlaybackRate: 1.5,
        liveSyncOnStallIncrease: 0,
        xhrSetup: (request: any) =>
          Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value)),
      })
      scope.hls.on('hlsError', (_: unknown, { details, fatal, error }: any) => {
        scope.errors.push(`${fatal ? 'fatal ' : ''}${details} ${error?.message ?? ''}`)
        // What every player page does.
        if (fatal) setTimeout(() => scope.hls.loadSource(url), 1000)
      })
      // What ours do: hls.js may wait for ever for what a worker that died had promised, and leaves those late who are far behind.
      let seen = { frames: 0, at: 0 }
      const video = scope.document.querySelector('video')
      scope.setInterval(() => {
        const { latency, targetLatency, liveSyncPosition } = scope.hls
        if (liveSyncPosition !== null && latency > targetLatency + 2) video.currentTime = liveSyncPosition
      }, 2000)
      scope.setInterval(() => {
        const frames = video.getVideoPlaybackQuality().totalVideoFrames
        if (frames !== seen.frames) seen = { frames, at: Date.now() }
        else if (frames > 0 && Date.now() - seen.at > 8_000) {
          seen.at = Date.now()
          scope.errors.push('standstill')
          scope.hls.loadSource(url)
        }
      }, 1000)
      scope.hls.loadSource(url)
      scope.hls.attachMedia(video)
    },
    { url, headers },
  )
}

export function look(page: Page): Promise<Playing> {
  return page.evaluate(() => {
    const { document, hls, errors } = globalThis as any
    const video = document.querySelector('video')
    const canvas = document.createElement('canvas')
    canvas.width = 32
    canvas.height = 18
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(video, 0, 0, 32, 18)
    const { data } = context.getImageData(0, 0, 32, 18)
    return {
      timeSeconds: video.currentTime,
      width: video.videoWidth,
      pixels: Array.from({ length: 32 * 18 }, (_, index) => data[index * 4 + 1]),
      latencyMs: hls.playingDate ? Date.now() - hls.playingDate.getTime() : null,
      errors: errors.slice(-20),
    }
  })
}

/** How many of the sampled pixels have changed clearly. */
export function changedPixels(before: Playing, after: Playing): number {
  return before.pixels.filter((value, index) => Math.abs(value - after.pixels[index]!) > 20).length
}
