/** What alerts and webhooks send leads to pictures, in a real browser; and it is kept, once, whatever happens to the service. */
import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium } from '../support/chromium.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Sent {
  readonly alert_uuid: string
  readonly type: string
  readonly event: string
  readonly sequence: number
  readonly event_uuid: string
  readonly picture_url: string
  readonly clip_url: string
  readonly data: { readonly reason?: string }
}
interface Listed {
  readonly event_uuid: string
  readonly event: string
  readonly picture_url: string | null
}

/** Somebody walks through one of them within seconds. */
const lines = [0.2, 0.35, 0.5, 0.65, 0.8].map((x) => ({ name: `at ${x}`, from: [x, 1], to: [x, 0] }))

let rig: ProcessRig
let receiver: HttpReceiver
let browser: Browser
let processId: string
beforeAll(async () => {
  rig = await createProcessRig()
  receiver = await createHttpReceiver()
  browser = await startChromium()
  const output = [{ type: 'webhook', config: { url: `${receiver.url}/alert` } }]
  const trigger = { for_seconds: 0, cooldown_seconds: 0 }
  for (const [type, change] of [
    ['filter-search', { trigger }],
    ['grid-density', { trigger: { ...trigger, min_count: 1 } }],
    ['follow-track', { trigger: { interval_seconds: 0.5 } }],
    ['flow-control', { trigger: { cooldown_seconds: 0 }, parameters: { lines } }],
  ] as const)
    await rig.ask('POST', '/alert', { body: { alias: type, type, output, ...change } })
  const { sourceId } = await rig.goLive('yard')
  processId = (await rig.start(sourceId)).process_uuid
  const body = { notification_url: `${receiver.url}/tracks`, event_type: 'new-tracks' }
  await rig.ask('POST', `/subscribe/${processId}`, { body })
}, 60_000)
afterAll(async () => {
  await browser.close()
  await receiver.close()
  await rig.remove()
})

const sentTo = <T>(path: string) =>
  receiver.calls.filter((call) => call.path.endsWith(path)).map(({ body }) => JSON.parse(body) as T)
const notified = () => sentTo<Sent>('/alert')
/** Where the test can reach it. */
const here = (url: string) => `${rig.service.url}${new URL(url).pathname}${new URL(url).search}`

/** The size of the picture as the browser shows it, once it is there. */
async function shownSizeOf(url: string): Promise<number[]> {
  const page = await browser.newPage()
  try {
    await until(async () => (await page.goto(here(url)))?.status() !== 202)
    return await page.evaluate<number[]>('[...document.images].flatMap((one) => [one.naturalWidth, one.naturalHeight])')
  } finally {
    await page.close()
  }
}

test.each(['filter-search', 'grid-density', 'follow-track', 'flow-control'])(
  'the link of %s shows the whole picture in a browser, without a key',
  async (type) => {
    const ofType = () => notified().find((one) => one.type === type && one.event !== 'update')
    await until(async () => ofType() !== undefined, 25_000)
    const { picture_url: pictureUrl, clip_url: clipUrl, event_uuid: id } = ofType()!
    expect(await shownSizeOf(pictureUrl)).toEqual([640, 480])
    expect(new URL(clipUrl).pathname).toBe(`/alert_event/${id}/clip.mp4`)
  },
)

test('the link of a clip says when to ask again until what comes after the event is there, and is a video then', async () => {
  const before = notified().length
  const newest = () =>
    notified()
      .slice(before)
      .find(({ type, event }) => type === 'filter-search' && event === 'found')
  await until(async () => newest() !== undefined, 60_000)
  const ask = () => fetch(here(newest()!.clip_url))
  // Ten seconds after the event belong to it, and nobody waits for them on one connection.
  const first = await ask()
  const { status, headers } = first
  expect([status, headers.get('retry-after'), headers.get('refresh')]).toEqual([202, '2', '2'])
  expect(await first.json()).toMatchObject({ state: expect.stringMatching(/waiting|working/) as string, url: null })
  // Whoever opens the link in a browser need do nothing but wait.
  const page = await browser.newPage()
  await page.goto(here(newest()!.clip_url))
  let video: Response
  await until(async () => (video = await ask()).status !== 202, 100_000)
  await page.waitForSelector('video')
  await page.close()
  expect([video!.status, video!.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(
    Buffer.from(await video!.arrayBuffer())
      .subarray(4, 8)
      .toString(),
  ).toBe('ftyp')
})

test('the link of a webhook shows the track, and one that was changed shows nothing', async () => {
  await until(async () => sentTo('/tracks').length > 0, 15_000)
  const [first] = sentTo<{ detections: { track_id: number; picture_url: string }[] }>('/tracks')
  const { track_id: trackId, picture_url: url } = first!.detections[0]!
  const [width, height] = await shownSizeOf(url)
  expect(Math.max(width!, height!)).toBeGreaterThan(16)
  expect(Math.max(width!, height!)).toBeLessThanOrEqual(256)
  const other = here(url).replace(`/tracks/${trackId}/`, `/tracks/${trackId + 1}/`)
  expect((await fetch(other)).status).toBe(403)
  const { status, headers } = await rig.service.call('GET', `/process/${processId}/tracks/${trackId}/picture.jpg`)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
})

test('what was notified of is listed once, also after a kill, and updates are not', async () => {
  await rig.service.stop('SIGKILL')
  await rig.restart()
  // What went on is over.
  await until(async () => notified().filter(({ data }) => data.reason === 'service-restart').length >= 2, 15_000)
  const listed = await rig.ask<Listed[]>('GET', '/alert_events?limit=1000')
  const ids = listed.map(({ event_uuid: id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  const events = notified().filter(({ event }) => event !== 'update')
  for (const { event_uuid: id } of events) expect(ids).toContain(id)
  const names = new Set(events.map((one) => `${one.alert_uuid} ${one.sequence} ${one.event_uuid}`))
  expect(names.size).toBe(new Set(events.map((one) => `${one.alert_uuid} ${one.sequence}`)).size)
  expect(listed.filter(({ event }) => event === 'update')).toEqual([])
  // The links of before still work.
  const before = events.find(({ type }) => type === 'filter-search')!
  expect((await fetch(here(before.picture_url))).status).toBe(200)
})
