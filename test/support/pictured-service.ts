import { join } from 'node:path'
import { type Browser, type Page, type Route } from 'playwright-core'

/**
 * The built console in a browser, before a service that is only made up: for states that a real one is in seldom. What is
 * not named here is answered with an empty list.
 */
export interface PicturedService {
  readonly page: Page
  /** Every path that was asked for so far. */
  readonly asked: readonly string[]
  /** From now on the path, without its query, is answered so; never, when nothing is done. */
  answer(path: RegExp, how: (route: Route) => Promise<void> | void): void
  /** The same with JSON. */
  say(path: RegExp, body: unknown, status?: number): void
}

const ORIGIN = 'http://console.localhost'
const dist = join(import.meta.dirname, '../../console/dist')

export async function openPictured(browser: Browser): Promise<PicturedService> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 2000 } })
  const asked: string[] = []
  const answers: { path: RegExp; how: (route: Route) => Promise<void> | void }[] = []
  const service: PicturedService = {
    page,
    asked,
    answer: (path, how) => void answers.unshift({ path, how }),
    say(path, json, status = 200) {
      const contentType = status < 400 ? 'application/json' : 'application/problem+json'
      service.answer(path, (route) => route.fulfill({ status, contentType, body: JSON.stringify(json) }))
    },
  }
  service.say(/./, [])
  service.answer(/^\/(index\.html|assets\/.*)?$/, (route) =>
    route.fulfill({ path: join(dist, new URL(route.request().url()).pathname.slice(1) || 'index.html') }),
  )
  service.say(/^\/session$/, { username: 'admin', is_master: true })
  service.say(/^\/user_info$/, { subscription: { lasts_minutes: null, minutes_low: false } })
  service.say(/^\/console\/settings$/, { map_tiles_url: null, rtsp_port: 8554, rtsp_scheme: 'rtsp' })
  // A stream that says nothing and ends: the console asks again.
  service.answer(/^\/processes\/events$/, (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }))
  await page.addInitScript(`localStorage.setItem('aerie-signed-in', 'yes')`)
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    // One that the page has let go of meanwhile can't be answered.
    await Promise.resolve(answers.find(({ path }) => path.test(pathname))!.how(route)).catch(() => undefined)
  })
  return service
}

export const consoleAt = (hash: string) => `${ORIGIN}/${hash}`

/** A process as `GET /processes` lists it. */
export const picturedProcess = (number: number) => ({
  process_uuid: `00000000-0000-4000-8000-00000000000${number}`,
  source_uuid: `10000000-0000-4000-8000-00000000000${number}`,
  source_url: `clip-${number}.mp4`,
  state: 'running',
  started_at: '2026-06-01T12:00:00.000Z' as string | null,
  error: null,
  stop_reason: null as string | null,
  stopped_at: null as string | null,
  stats: { processed_fps: 10, latency_ms_p50: 80 },
})

/** Its source: a file, or a stream that is published here. */
export const picturedSource = (number: number, isPublished: boolean) => ({
  source_uuid: `10000000-0000-4000-8000-00000000000${number}`,
  alias: `Source ${number}`,
  type: isPublished ? 'stream' : 'file',
  status: 'streaming',
  input_url: `clip-${number}.mp4`,
  video: null,
  recording: 'off',
  telemetry_cfg: null,
  webrtc_url: isPublished ? `${ORIGIN}/webrtc/admin/front-${number}` : null,
})
