/** A guard's evening: four cameras that the service calls, one of them with an area, and the night read back in the morning. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console-page.ts'
import { decodedJpeg } from '../support/decoded-jpeg.ts'
import { type Running, start as startTool } from '../support/ffmpeg.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, loopedClip, type ProcessRig } from '../support/process-rig.ts'
import { startRtspServer, type TestRtspServer } from '../support/rtsp-server.ts'
import { until } from '../support/until.ts'

interface Found {
  readonly source_uuid: string
  readonly source_alias: string
  readonly data: { readonly tracks: readonly { image: string | null; scene_image: string | null }[] }
}
interface FoundTrack {
  readonly source_uuid: string
}

const places = ['gate', 'yard', 'dock', 'roof'] as const

let rig: ProcessRig
let site: TestRtspServer
let receiver: HttpReceiver
const lenses: Running[] = []
const sources = new Map<string, string>()
const processes = new Map<string, string>()
let duskAt: string
let dawnAt: string
beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  site = await startRtspServer()
  receiver = await createHttpReceiver()
  for (const place of places) {
    const lens = [...loopedClip, '-f', 'rtsp', '-rtsp_transport', 'tcp', cameraUrl(place)]
    lenses.push(startTool('ffmpeg', lens, 240_000))
  }
  await site.until((hub) => hub.list().filter(({ isLive }) => isLive).length === places.length)
})
afterAll(async () => {
  await rig.clear()
  await rig.remove()
  await Promise.all(lenses.map((lens) => lens.kill()))
  await site.close()
  await receiver.close()
})

const cameraUrl = (place: string) => `rtsp://ada:secret@127.0.0.1:${site.port}/ada/${place}`
const notifications = () => receiver.calls.map(({ body }) => JSON.parse(body) as Found)

test('dusk: four cameras are registered, recorded and watched; each is called once', async () => {
  duskAt = new Date().toISOString()
  for (const place of places) {
    const body = { alias: place, input_url: cameraUrl(place), stream_type: 'rtsp' }
    const { source_uuid: id } = await rig.ask<{ source_uuid: string }>('POST', '/stream', { body })
    sources.set(place, id)
  }
  await rig.ask('POST', '/alert', {
    body: {
      alias: 'somebody in the yard',
      type: 'filter-search',
      source_uuids: [sources.get('yard')],
      trigger: { for_seconds: 0 },
      region: {
        type: 'polygon',
        points: [
          [0, 0.3],
          [1, 0.3],
          [1, 1],
          [0, 1],
        ],
      },
      parameters: { with_image: true },
      output: [{ type: 'webhook', config: { url: `http://127.0.0.1:${receiver.port}/guard` } }],
    },
  })
  for (const place of places) processes.set(place, (await rig.start(sources.get(place)!)).process_uuid)
  const recording = async (place: string) =>
    (await rig.ask<{ recording: string }>('GET', `/source/${sources.get(place)}`)).recording
  for (const place of places) await until(async () => (await recording(place)) === 'on')
  for (const place of places) expect(site.hub.readerCount(`ada/${place}`)).toBe(1)
})

test('the wall shows all four of them move, and nobody calls them again for it', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const { url } = await rig.ask<{ url: string }>('POST', '/session/code')
  const wall = await openConsole(browser, url)
  const timesOf = () =>
    wall.page.evaluate<number[]>(
      `[...document.querySelectorAll('.pane[data-way="WebRTC"] video')].map((one) => one.currentTime)`,
    )
  await until(async () => (await timesOf()).filter((seconds) => seconds > 1).length === places.length, 45_000)
  for (const place of places) expect(site.hub.readerCount(`ada/${place}`)).toBe(1)
  expect(wall.problems()).toEqual([])
})

test('the guard is told of the yard alone, with the person and the whole scene', async () => {
  await until(async () => notifications().length > 0, 90_000)
  const [first] = notifications()
  const [track] = first!.data.tracks
  const sizeOf = async (image: string | null) => {
    const { width, height } = await decodedJpeg(Buffer.from(image!, 'base64'))
    return `${width}x${height}`
  }
  expect(await sizeOf(track!.scene_image)).toBe('640x480')
  expect(await sizeOf(track!.image)).not.toBe('640x480')
  for (const { source_uuid: id, source_alias: alias } of notifications())
    expect([id, alias]).toEqual([sources.get('yard'), 'yard'])
})

test('in the morning, after a restart, the night is read back by its hours, camera by camera', async () => {
  const tracksAt = async (place: string, more = '', from = duskAt) =>
    rig.ask<FoundTrack[]>('GET', `/tracks?source_uuid=${sources.get(place)}&from=${from}${more}`)
  for (const place of places) await until(async () => (await tracksAt(place)).length > 0, 60_000)
  await rig.ask('DELETE', '/processes')
  dawnAt = new Date().toISOString()
  await rig.service.stop('SIGTERM')
  await rig.restart()

  for (const place of places) {
    const found = await tracksAt(place, `&to=${dawnAt}&class=person`)
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map(({ source_uuid: id }) => id))).toEqual(new Set([sources.get(place)]))
    const { tracks } = await rig.ask<{ tracks: object[] }>(
      'GET',
      `/process/${processes.get(place)}/tracks?from=${duskAt}&to=${dawnAt}`,
    )
    expect(tracks.length).toBeGreaterThan(0)
    const kept = await rig.ask<object[]>('GET', `/sources/recordings?source_uuid=${sources.get(place)}`)
    expect(kept.length).toBeGreaterThan(0)
  }
  expect(await tracksAt('gate', '', dawnAt)).toEqual([])
})
