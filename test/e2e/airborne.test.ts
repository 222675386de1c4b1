import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { droneClip, writeDroneClip } from '../builders/drone-clip.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => {
  rig = await createProcessRig()
})
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const fov = { sensor_hfov: 40, sensor_vfov: 30.5 }
/** What the clip's sky and drone are seen through. */
const focal = {
  x: droneClip.width / 2 / Math.tan((fov.sensor_hfov / 2) * (Math.PI / 180)),
  y: droneClip.height / 2 / Math.tan((fov.sensor_vfov / 2) * (Math.PI / 180)),
}
const degrees = (tangent: number) => Math.atan(tangent) * (180 / Math.PI)

test('a drone in the sky is one track with its class, its angles, and its distance by its size', async () => {
  const clip = join(rig.folder, 'drone.mp4')
  writeDroneClip(clip)
  const { source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: 'sky',
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/sky`,
      stream_type: 'rtsp',
      // No place and no direction: the reduced mode.
      telemetry_cfg: { type: 'static', parameters: fov },
    },
  })
  rig.publish('sky', { input: ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy'] })
  const status = async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  await until(async () => (await status()) === 'streaming', 10_000)
  const started = await rig.start(sourceId, { model: 'airborne', tiles: 'auto' })
  const socket = await rig.connect(started)
  const spanOf = (messages: typeof socket.messages) =>
    Date.parse(messages.at(-1)!.timestamp) - Date.parse(messages[0]!.timestamp)
  await socket.more(10, 20_000)
  // Once around, and some.
  await until(async () => spanOf(socket.messages) > (droneClip.seconds + 1) * 1000, 30_000)

  // Before, it is not certain yet that it is one.
  const messages = socket.messages.slice(socket.messages.findIndex(({ active_tracks: seen }) => seen.length > 0))
  const tracks = messages.flatMap(({ active_tracks: seen }) => seen)
  expect(tracks.length / messages.length).toBeGreaterThan(0.85)
  expect(new Set(tracks.map(({ track_id: id }) => id)).size).toBe(1)
  expect(tracks.at(-1)!.class_name).toBe('drone')

  for (const { bbox, azimuth, elevation, latitude } of tracks) {
    const [x, y, width, height] = bbox
    expect(azimuth).toBeCloseTo(degrees((x! + width! / 2 - droneClip.width / 2) / focal.x), 0)
    expect(elevation).toBeCloseTo(degrees((droneClip.height / 2 - y! - height! / 2) / focal.y), 0)
    expect(latitude).toBeUndefined()
  }
  // From one end of its way to the other, both across and up.
  const range = (values: readonly number[]) => [Math.min(...values), Math.max(...values)]
  const [left, right] = range(tracks.map(({ azimuth }) => azimuth!))
  expect(right).toBeGreaterThan(degrees((0.8 * droneClip.reach.x) / focal.x))
  expect(left).toBeLessThan(-degrees((0.8 * droneClip.reach.x) / focal.x))
  const [low, high] = range(tracks.map(({ elevation }) => elevation!))
  expect(high! - low!).toBeGreaterThan(degrees((1.5 * droneClip.reach.y) / focal.y))

  const drones = tracks.filter(({ class_name: name }) => name === 'drone')
  for (const { bbox, distance, position_source: source, position_error_m: error } of drones) {
    // The usual drone is 0.35 m across.
    const expected = (0.35 * focal.x) / bbox[2]!
    expect(distance! / expected).toBeGreaterThan(0.8)
    expect(distance! / expected).toBeLessThan(1.25)
    expect(source).toBe('size')
    expect(error).toBeGreaterThan(0.3 * distance!)
    expect(error).toBeLessThan(distance!)
  }

  const { tiling } = await rig.info(started.process_uuid)
  expect(tiling).toMatchObject({ grid: '1x1', looks: 1 })
  expect(tiling!.reason).toContain('how large things are is not known')
})
