import { type Browser, type Page } from 'playwright-core'
import { readPageClock } from './clock-reader.ts'
import { until } from './until.ts'

/** The modules of our player, in a page of the service itself, as a page of one's own would use them. */
export interface VodPage {
  readonly page: Page
  /** Plays a playlist; answers how many ms it took to the first picture. */
  open(url: string): Promise<number>
  play(): Promise<void>
  /** Resolves when the picture of that time stands, with the time that the player says it is of. */
  seek(ms: number): Promise<number>
  /** Stands still; answers the time of its picture. */
  freeze(): Promise<number>
  playingAtMs(): Promise<number>
  /** By the clock in the picture. */
  readClock(nearMs: number): Promise<number | undefined>
  width(): Promise<number>
  close(): Promise<void>
}

export async function openVodPage(browser: Browser, serviceUrl: string, key: string): Promise<VodPage> {
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } })
  // Of a path that nobody has: it brings hls.js along, and plays nothing itself.
  await page.goto(`${serviceUrl}/webrtc/admin/none?from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z&api_key=${key}`)
  await page.waitForSelector('body[data-state="refused"]')
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('video'), { id: 'past', muted: true }))`,
  )
  const vod: VodPage = {
    page,
    open: (url) =>
      page.evaluate<number>(`(async () => {
        const { openVod } = await import('${serviceUrl}/watch/open-vod.js')
        globalThis.session?.stop()
        const startedAt = performance.now()
        globalThis.session = await openVod(past, '${url}', { Hls: globalThis.Hls })
        return performance.now() - startedAt
      })()`),
    play: () => page.evaluate('past.play()'),
    async seek(ms) {
      await page.evaluate(`new Promise((resolve) => {
        past.pause()
        past.addEventListener('seeked', resolve, { once: true })
        session.seekTo(${ms})
      })`)
      return vod.freeze()
    },
    async freeze() {
      await page.evaluate('past.pause()')
      await until(() => page.evaluate<boolean>('!past.seeking && past.readyState >= 2'))
      return vod.playingAtMs()
    },
    playingAtMs: () => page.evaluate<number>('session.playingAtMs()'),
    readClock: (nearMs) => readPageClock(page, nearMs, '#past'),
    width: () => page.evaluate<number>('past.videoWidth'),
    close: () => page.close(),
  }
  return vod
}
