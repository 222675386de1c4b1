import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { notificationSchemas } from '../../src/alerts/notification.schema.ts'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { type AlertListener, listenToAlerts, type Notification } from '../support/alert-listener.ts'
import { createMosquitto, type Mosquitto, rememberingIn } from '../support/mosquitto.ts'
import { createProcessRig, type ProcessRig, type Started } from '../support/process-rig.ts'
import { nodesInPlaceOfOne } from '../support/service.ts'
import { until } from '../support/until.ts'
import { describeOutages } from './outages.ts'

let rig: ProcessRig
let broker: Mosquitto
let folder: string
let listener: AlertListener
/** Everything within some 70 m of the camera that took the clip. */
const yard = {
  type: 'geo_polygon',
  points: [[51.4410, -0.9466], [51.4410, -0.9446], [51.4423, -0.9446], [51.4423, -0.9466]], // prettier-ignore
}
const vertical = [0.2, 0.35, 0.5, 0.65, 0.8].map((x) => ({ name: `at ${x}`, from: [x, 1], to: [x, 0] }))

async function startOnYard(name: string): Promise<Started> {
  const { source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: name,
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/${name}`,
      stream_type: 'rtsp',
      telemetry_cfg: { type: 'static', parameters: clipPose },
    },
  })
  rig.publish(name)
  const status = async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  await until(async () => (await status()) === 'streaming', 10_000)
  return rig.start(sourceId)
}

const toBody = (type: string, change: object) => ({
  alias: type,
  type,
  output: [{ type: 'mqtt', config: { host: `127.0.0.1:${broker.port}`, topic: `site/${type}` } }],
  ...change,
})
const register = async (type: string, change: object = {}) =>
  (await rig.ask<{ uuid: string }>('POST', '/alert', { body: toBody(type, change) })).uuid

function expectSound(notifications: readonly Notification[], processId: string): void {
  for (const notification of notifications) {
    const { error } = notificationSchemas[notification.type].safeParse(notification)
    expect(error, JSON.stringify(notification)).toBeUndefined()
    expect(notification.process_uuid).toBe(processId)
    expect(Math.abs(Date.parse(notification.timestamp) - Date.now())).toBeLessThan(120_000)
  }
  const numbers = notifications.map(({ sequence }) => sequence)
  expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index))
}

// They look into the file of SQLite.
if (nodesInPlaceOfOne() === 1) describeOutages()

describe.concurrent('alerts', () => {
  beforeAll(async () => {
    rig = await createProcessRig()
    folder = mkdtempSync(join(tmpdir(), 'aerie-alerts-'))
    broker = await createMosquitto(rememberingIn(folder))
    listener = await listenToAlerts(broker.port, 'site/#')
  })
  afterEach(async () => {
    await rig.clear()
    const alerts = await rig.ask<{ uuid: string }[]>('GET', '/alerts')
    for (const { uuid } of alerts) await rig.ask('DELETE', `/alert/${uuid}`)
  })
  afterAll(async () => {
    await listener.close()
    await rig.remove()
    await broker.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test.sequential(
    'each analysis fires on the demo clip, in the picture and on the ground, and ends with its process',
    async () => {
      const ids = {
        dense: await register('grid-density', {
          trigger: { min_count: 1, for_seconds: 0 },
          parameters: { rows: 3, columns: 4 },
        }),
        denseOnGround: await register('grid-density', {
          trigger: { min_count: 1, for_seconds: 0 },
          parameters: { cell_meters: 5 },
        }),
        flow: await register('flow-control', { parameters: { lines: vertical } }),
        follow: await register('follow-track', { trigger: { interval_seconds: 0.5 }, filter: { classes: ['person'] } }),
        search: await register('filter-search', {
          trigger: { for_seconds: 1 },
          region: yard,
          filter: { classes: ['person'], min_confidence: 40, max_distance_m: 60 },
          parameters: { with_image: true },
        }),
      }
      const started = await startOnYard('analyses')
      const id = started.process_uuid

      const dense = await listener.first(ids.dense, ({ event }) => event === 'started')
      expect(dense.data.grid).toHaveLength(3)
      expect(dense.data.grid.flat().reduce((sum: number, count: number) => sum + count, 0)).toBe(dense.data.total_count)
      const onGround = await listener.first(ids.denseOnGround, ({ event }) => event === 'started')
      expect(Math.abs(onGround.data.cells[0].latitude - clipPose.latitude)).toBeLessThan(0.002)
      const crossed = await listener.first(ids.flow, ({ event }) => event === 'crossed', 40_000)
      expect(crossed.data.lines).toHaveLength(vertical.length)
      const update = await listener.first(ids.follow, ({ event }) => event === 'update')
      expect(listener.of(ids.follow)[0]!.event).toBe('acquired')
      expect(Math.abs(update.data.azimuth)).toBeLessThan(clipPose.sensor_hfov / 2)
      expect(Math.abs(update.data.elevation)).toBeLessThan(clipPose.sensor_vfov / 2)
      const found = await listener.first(ids.search, ({ event }) => event === 'found')
      expect(found.data.tracks[0]).toMatchObject({ class_name: 'person' })
      expect(found.data.tracks[0].confidence).toBeGreaterThanOrEqual(40)

      const rows = await rig.ask<{ uuid: string; process_uuid: string; problem: null }[]>('GET', '/active/alerts')
      expect(rows.map(({ uuid }) => uuid).sort()).toEqual(Object.values(ids).sort())
      for (const row of rows) expect(row).toMatchObject({ process_uuid: id, problem: null, pending: false })

      await rig.ask('DELETE', `/process/${id}`)
      const isOver = ({ event, data }: Notification) =>
        ['ended', 'lost'].includes(event) && data.reason === 'process-ended'
      await listener.first(ids.dense, isOver)
      await listener.first(ids.follow, isOver)
      for (const alertId of Object.values(ids)) expectSound(listener.of(alertId), id)
      const trackIds = listener
        .of(ids.search)
        .flatMap(({ data }) => data.tracks.map((track: { track_id: number }) => track.track_id))
      expect(new Set(trackIds).size).toBe(trackIds.length)
    },
  )

  test.sequential(
    'a forced change relaunches the pipeline: the same process, no restart counted, its socket stays',
    async () => {
      const alertId = await register('filter-search', { trigger: { for_seconds: 0 } })
      const started = await startOnYard('forced')
      const socket = await rig.connect(started)
      await socket.more(5)
      await listener.first(alertId, ({ event }) => event === 'found')
      const [worker] = rig.workers()

      const path = `/alert/${alertId}`
      const waiting = await rig.ask('PATCH', path, { body: { trigger: { for_seconds: 0.2 } } })
      expect(waiting).toMatchObject({ pending: true, trigger: { for_seconds: 0.2 } })
      const before = Math.max(...listener.of(alertId).map(({ sequence }) => sequence))
      expect(await rig.ask('PATCH', path, { body: { force: true } })).toMatchObject({ pending: false })
      await until(async () => !rig.workers().includes(worker!) && rig.workers().length === 1, 15_000)
      expect(await rig.untilState(started.process_uuid, 'running', 20_000)).toMatchObject({
        restarts: 0,
        error: null,
      })
      await socket.more(5)
      await listener.first(alertId, ({ sequence }) => sequence > before)
    },
  )

  test.sequential('a one-off alert is at its process only, and goes with it', async () => {
    const started = await startOnYard('one-off')
    const processId = started.process_uuid
    const body = toBody('follow-track', { trigger: { interval_seconds: 0.5 } })
    const { uuid } = await rig.ask<{ uuid: string }>('POST', `/alert/${processId}`, { body })
    expect(await rig.ask('GET', '/alerts')).toEqual([])
    expect(await rig.ask('GET', '/active/alerts')).toMatchObject([{ uuid, process_uuid: processId, one_off: true }])
    await listener.first(uuid, ({ event }) => event === 'acquired')

    // Also when its worker crashes.
    process.kill(rig.workers()[0]!, 'SIGKILL')
    await listener.first(uuid, ({ event }) => event === 'lost')
    const { sequence: lostAt } = listener.of(uuid).find(({ event }) => event === 'lost')!
    await listener.first(uuid, ({ event, sequence }) => event === 'acquired' && sequence > lostAt)

    await rig.ask('DELETE', `/process/${processId}`)
    expect(await rig.ask('GET', '/active/alerts')).toEqual([])
    const late = await rig.service.call('POST', `/alert/${processId}`, { body })
    expect(late.status).toBe(409)
  })
})
