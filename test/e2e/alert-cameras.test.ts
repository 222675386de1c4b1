import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationSchemas } from '../../src/alerts/notification.schema.ts'
import { trackColours } from '../../src/pipeline/overlay/colours.ts'
import { decodedJpeg } from '../support/decoded-jpeg.ts'
import { createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface FoundTrack {
  readonly track_id: number
  readonly scaled_bbox: readonly [x: number, y: number, width: number, height: number]
  readonly timestamp: string
  readonly image?: string | null
  readonly scene_image?: string | null
}
interface Found {
  readonly source_uuid: string
  readonly source_alias: string
  readonly sequence: number
  readonly data: { readonly tracks: readonly FoundTrack[] }
}
interface AlertAnswer {
  readonly uuid: string
  readonly trigger: object
  readonly output: readonly [{ readonly config: { readonly secret: string } }]
}

interface AlertFields {
  readonly trigger?: object
  readonly source_uuids?: readonly string[]
  readonly parameters?: object
}

let rig: ProcessRig
let receiver: HttpReceiver
beforeAll(async () => {
  rig = await createProcessRig()
  receiver = await createHttpReceiver()
})
afterAll(async () => {
  await rig.clear()
  await rig.remove()
  await receiver.close()
})

const hook = (name: string) => ({ type: 'webhook', config: { url: `http://127.0.0.1:${receiver.port}/${name}` } })
const callsOf = (name: string) => receiver.calls.filter(({ path }) => path === `/${name}`)
const bodyOf = ({ body }: ReceivedCall) => JSON.parse(body) as Found
const tracksOf = (name: string) => callsOf(name).flatMap((call) => bodyOf(call).data.tracks)
const idsOf = (name: string) => tracksOf(name).map(({ track_id: id }) => id)

async function search(path: string, name: string, { trigger, ...rest }: AlertFields): Promise<AlertAnswer> {
  const body = {
    alias: name,
    type: 'filter-search',
    trigger: { for_seconds: 0, ...trigger },
    output: [hook(name)],
    ...rest,
  }
  return rig.ask<AlertAnswer>('POST', path, { body })
}

/** How much of the outline of a track's box is drawn in its colour. */
function outlinedShare(
  { track_id: id, scaled_bbox: [left, top, width, height] }: FoundTrack,
  scene: Awaited<ReturnType<typeof decodedJpeg>>,
): number {
  const colour = trackColours[id % trackColours.length]!
  const rgb = [colour >> 16, (colour >> 8) & 255, colour & 255]
  const isColoured = (x: number, y: number) =>
    Math.hypot(...scene.rgbAt(x, y).map((value, index) => value - rgb[index]!)) < 100
  // The picture may be of a frame beside the one in which it was found.
  const near = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]
  const steps = Array.from({ length: 21 }, (_, index) => 0.1 + index * 0.04)
  const sides = steps.flatMap((step) =>
    [left, left + width].map((side) => {
      const [x, y] = [Math.round(side * scene.width), Math.round((top + step * height) * scene.height)]
      return near.some((dx) => x + dx >= 0 && x + dx < scene.width && isColoured(x + dx, y))
    }),
  )
  return sides.filter(Boolean).length / sides.length
}

test('an alert of one camera: signed, not too often, nothing left out, with the track and where it was', async () => {
  const { sourceId: yard } = await rig.goLive('yard')
  const { sourceId: gate } = await rig.goLive('gate')
  const spaced = await search('/alert', 'spaced', {
    source_uuids: [yard],
    trigger: { cooldown_seconds: 5 },
    parameters: { with_image: true },
  })
  expect(spaced).toMatchObject({ alert_uuid: spaced.uuid })
  await search('/alert', 'both', { source_uuids: [yard, gate], trigger: { cooldown_seconds: 3600 } })
  await search('/alert', 'each', { source_uuids: [yard], trigger: { cooldown_seconds: 0 } })
  const { process_uuid: atYard } = await rig.start(yard)
  const { process_uuid: atGate } = await rig.start(gate)
  const once = await search(`/alert/${atGate}`, 'once', { trigger: { cooldown_seconds: 0 } })

  const rows = await rig.ask<{ alias: string; process_uuid: string }[]>('GET', '/active/alerts')
  expect(rows.map(({ alias, process_uuid: at }) => `${alias} ${at}`).sort()).toEqual(
    [`both ${atGate}`, `both ${atYard}`, `each ${atYard}`, `once ${atGate}`, `spaced ${atYard}`].sort(),
  )
  expect(rows.find(({ alias }) => alias === 'once')).toMatchObject({ scope: 'process', source_uuids: null })
  const registered = await rig.ask<{ alias: string }[]>('GET', '/alerts')
  expect(registered.sort((a, b) => (a.alias < b.alias ? -1 : 1))).toMatchObject([
    { alias: 'both', scope: 'sources', source_uuids: [yard, gate] },
    { alias: 'each', scope: 'sources', source_uuids: [yard] },
    { alias: 'spaced', scope: 'sources', source_uuids: [yard], output: [{ config: { secret: '***' } }] },
  ])

  const isPictured = ({ image, scene_image: scene }: FoundTrack) => Boolean(image && scene)
  await until(async () => callsOf('each').length >= 6 && callsOf('spaced').length >= 3, 90_000)
  await until(async () => tracksOf('spaced').some(isPictured) && callsOf('once').length > 0, 30_000)
  // Each source has a time of its own in which it waits.
  await until(async () => callsOf('both').length === 2, 30_000)
  expect(new Set(callsOf('both').map((call) => bodyOf(call).source_uuid))).toEqual(new Set([yard, gate]))
  await rig.ask('DELETE', `/process/${atYard}`)
  await until(async () => idsOf('spaced').length >= idsOf('each').length, 20_000)

  // Each track once by either, and by the one that waits in fewer messages.
  expect(idsOf('spaced').sort()).toEqual(idsOf('each').sort())
  expect(new Set(idsOf('spaced')).size).toBe(idsOf('spaced').length)
  expect(callsOf('spaced').length).toBeLessThan(callsOf('each').length)
  expect(callsOf('spaced').some((call) => bodyOf(call).data.tracks.length > 1)).toBe(true)

  const webhook = new Webhook(spaced.output[0].config.secret)
  for (const call of callsOf('spaced')) {
    expect(() => webhook.verify(call.body, call.headers as Record<string, string>)).not.toThrow()
    expect(() => webhook.verify(`${call.body} `, call.headers as Record<string, string>)).toThrow()
    expect(bodyOf(call)).toMatchObject({ source_uuid: yard, source_alias: 'yard' })
    expect(notificationSchemas['filter-search'].safeParse(bodyOf(call)).error).toBeUndefined()
  }
  for (const call of callsOf('once')) expect(bodyOf(call)).toMatchObject({ source_uuid: gate, source_alias: 'gate' })
  expect(once.output[0].config.secret).not.toBe(spaced.output[0].config.secret)

  const pictured = tracksOf('spaced').find(isPictured)!
  const crop = await decodedJpeg(Buffer.from(pictured.image!, 'base64'))
  expect(Math.max(crop.width, crop.height)).toBeLessThanOrEqual(256)
  const scene = await decodedJpeg(Buffer.from(pictured.scene_image!, 'base64'))
  expect(scene).toMatchObject({ width: 640, height: 480 })
  expect(outlinedShare(pictured, scene)).toBeGreaterThan(0.7)
}, 200_000)

test('an alert of a camera that was removed looks at no other', async () => {
  await rig.clear()
  const gone = await rig.register('gone')
  const { uuid, trigger } = await search('/alert', 'gone', { source_uuids: [gone] })
  expect(trigger).toMatchObject({ cooldown_seconds: 10 })
  await rig.ask('DELETE', `/source/${gone}`)
  const { sourceId } = await rig.goLive('other')
  const { process_uuid: processId } = await rig.start(sourceId)
  const listed = await rig.ask<{ uuid: string }[]>('GET', '/alerts')
  expect(listed.find((one) => one.uuid === uuid)).toMatchObject({
    scope: 'sources',
    source_uuids: [],
    status: 'active',
  })
  expect(await rig.ask('GET', '/active/alerts')).toEqual([])
  expect(await rig.ask('PATCH', `/alert/${uuid}`, { body: { source_uuids: [sourceId] } })).toMatchObject({
    source_uuids: [sourceId],
    pending: false,
  })
  expect(await rig.ask('GET', '/active/alerts')).toMatchObject([
    { uuid, process_uuid: processId, source_uuid: sourceId },
  ])
  await until(async () => callsOf('gone').length > 0, 30_000)
}, 90_000)
