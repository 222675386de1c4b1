import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connectAsync } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { type DetectionMessage } from '../../src/processes/detection-message.ts'
import { refusedStatus } from '../support/detection-socket.ts'
import { createMosquitto, type Mosquitto } from '../support/mosquitto.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { startWithTelemetry } from '../support/telemetry-process.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let broker: Mosquitto
beforeAll(async () => {
  rig = await createProcessRig()
  broker = await createMosquitto()
})
afterEach(() => rig.clear())
afterAll(async () => {
  await rig.remove()
  await broker.remove()
})

const people = (messages: readonly DetectionMessage[]) =>
  messages.flatMap(({ active_tracks: tracks }) => tracks.filter(({ class_name: name }) => name === 'person'))

function expectOnTheYard(messages: readonly DetectionMessage[]): void {
  const located = people(messages).filter(({ latitude }) => latitude !== undefined)
  expect(located.length).toBeGreaterThan(20)
  const near = located.filter(({ distance }) => distance! < 50)
  expect(near.length / located.length).toBeGreaterThanOrEqual(0.95)
  for (const { latitude, longitude, altitude, azimuth, elevation, position_source: source } of located) {
    expect(Math.abs(latitude! - clipPose.latitude)).toBeLessThan(0.001)
    expect(Math.abs(longitude! - clipPose.longitude)).toBeLessThan(0.002)
    expect(altitude).toBeCloseTo(60, 0)
    expect(Math.abs(azimuth!)).toBeLessThan(clipPose.sensor_hfov / 2)
    expect(Math.abs(elevation!)).toBeLessThan(clipPose.sensor_vfov / 2)
    expect(source).toBe('ground')
  }
}

function expectToWalk(messages: readonly DetectionMessage[]): void {
  const speeds = people(messages)
    .flatMap(({ ground_speed: speed }) => speed ?? [])
    .sort((a, b) => a - b)
  expect(speeds[speeds.length >> 1]).toBeGreaterThan(0.5)
  expect(speeds[speeds.length >> 1]).toBeLessThan(2.5)
}

test('a camera that never moves locates what it sees, and people walk as people do', async () => {
  const started = await startWithTelemetry(rig, 'static', { type: 'static', parameters: clipPose })
  expect(started.telemetry_url).toBe('static')
  const socket = await rig.connect(started)
  // A busy machine looks at few pictures a second.
  const messages = await socket.more(70, 50_000)
  expectOnTheYard(messages)
  expectToWalk(messages)

  const drone = new WebSocket(started.detection_data_url.replace('detection_data', 'drone_data'))
  const [message] = (await once(drone, 'message')) as [Buffer]
  expect(JSON.parse(message.toString())).toMatchObject({ ...clipPose, timestamp: expect.any(Number) as number })
  expect(await refusedStatus(drone.url)).toBe(409)
  drone.terminate()
  expect(await refusedStatus(started.detection_data_url.replace('detection_data', 'telemetry'))).toBe(409)
})

test('telemetry by MQTT, also from a broker that was down', async () => {
  await broker.kill()
  const parameters = { ip: '127.0.0.1', port: broker.port, topic: 'drone/1/telemetry' }
  const started = await startWithTelemetry(rig, 'mqtt', { type: 'mqtt', parameters })
  expect(started.telemetry_url).toBe(`mqtt://127.0.0.1:${broker.port}/drone/1/telemetry`)
  const socket = await rig.connect(started)
  await socket.more(5)
  expect((await rig.info(started.process_uuid)).telemetry).toMatchObject({
    type: 'mqtt',
    format: 'native',
    age_ms: null,
    error: expect.stringContaining('broker') as string,
  })
  await broker.start()
  const publisher = await connectAsync(`mqtt://127.0.0.1:${broker.port}`)
  const flight = setInterval(() => {
    void publisher.publishAsync('drone/1/telemetry', JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 }))
  }, 100)
  try {
    await publisher.publishAsync('drone/1/telemetry', 'not JSON')
    const isFed = async () => ((await rig.info(started.process_uuid)).telemetry?.age_ms ?? Infinity) < 1_000
    await until(isFed, 20_000)
    await publisher.publishAsync('drone/1/telemetry', 'not JSON')
    const messages = await socket.more(70, 50_000)
    expectOnTheYard(messages)
    expectToWalk(messages)
    const { telemetry } = await rig.info(started.process_uuid)
    expect(telemetry!.error).toBeNull()
    expect(telemetry!.rejected['not-json']).toBeGreaterThanOrEqual(1)
  } finally {
    clearInterval(flight)
    await publisher.endAsync(true)
  }
  // Without fresh telemetry nothing is located any more, and the process goes on.
  await until(async () => {
    const seen = people(socket.messages.slice(-3))
    return seen.length > 0 && seen.every(({ latitude }) => latitude === undefined)
  }, 10_000)
  expect(await rig.info(started.process_uuid)).toMatchObject({ state: 'running', restarts: 0 })
}, 120_000)

test('telemetry by websocket: bad messages are answered and counted, and the connection stays', async () => {
  const started = await startWithTelemetry(rig, 'socket', { type: 'websocket' })
  expect(started.telemetry_url).toContain(`/process/${started.process_uuid}/telemetry?api_key=`)
  const drone = new WebSocket(started.telemetry_url)
  await once(drone, 'open')
  expect(await refusedStatus(started.telemetry_url)).toBe(409)
  const bad = [
    'nonsense',
    '[]',
    JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000, latitude: 91 }),
    JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000, sensor_hfov: 0 }),
    JSON.stringify({ ...clipPose, timestamp: 'yesterday' }),
    JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 - 60 }),
  ]
  for (const message of bad) {
    drone.send(message)
    const [answer] = (await once(drone, 'message')) as [Buffer]
    expect(JSON.parse(answer.toString()), message).toEqual({ error: expect.any(String) as string })
  }
  const rejected = Object.values((await rig.info(started.process_uuid)).telemetry!.rejected)
  expect(rejected.reduce((sum, count) => sum + count, 0)).toBe(bad.length)

  const flight = setInterval(() => drone.send(JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 })), 100)
  try {
    const socket = await rig.connect(started)
    await socket.more(5)
    expectOnTheYard(await socket.more(30))
    // Far too many, and one far too large: neither stops anything.
    for (let index = 0; index < 2_000; index++)
      drone.send(JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 }))
    await until(async () => ((await rig.info(started.process_uuid)).telemetry!.rejected['too-many'] ?? 0) > 100, 10_000)
    await socket.more(5)
  } finally {
    clearInterval(flight)
  }
  const closed = once(drone, 'close')
  drone.send('x'.repeat(10 * 1024 * 1024))
  await closed
  expect(await rig.info(started.process_uuid)).toMatchObject({ state: 'running', restarts: 0 })
})

test('without telemetry its websockets are refused', async () => {
  const { sourceId } = await rig.goLive('none')
  const started = await rig.start(sourceId)
  expect(started.telemetry_url).toBe('Not configured')
  for (const name of ['drone_data', 'telemetry'])
    expect(await refusedStatus(started.detection_data_url.replace('detection_data', name))).toBe(409)
  expect((await rig.info(started.process_uuid)).telemetry).toBeNull()
})

test('a simulated flight in the vendor’s format locates what is seen, and the doctor tells how late the video is', async () => {
  const parameters = { ip: '127.0.0.1', port: broker.port, topic: 'thing/product/1581F8TEST0001/osd' }
  const address = `mqtt://127.0.0.1:${broker.port}/${parameters.topic}`
  const started = await startWithTelemetry(rig, 'vendor', { type: 'mqtt', format: 'dji', parameters })
  const socket = await rig.connect(started)
  const args = ['simulate', '--path', 'orbit', '--format', 'vendor_a', '--rate', '2', '--mqtt', address]
  const flight = spawn(process.execPath, ['bin/aerie.js', ...args], { stdio: 'ignore', timeout: 60_000 })
  const isLocated = () => people(socket.messages.slice(-5)).some(({ latitude }) => latitude !== undefined)
  await until(async () => isLocated(), 20_000)
  const { telemetry } = await rig.info(started.process_uuid)
  expect(telemetry).toMatchObject({ type: 'mqtt', format: 'vendor_a', error: null })
  expect(telemetry!.rejected).toEqual({})
  expect(telemetry!.delay_ms).toBeLessThan(1_000)
  const orbit = people(socket.messages).filter(({ latitude }) => latitude !== undefined)
  expect(orbit.length).toBeGreaterThan(0)
  for (const { distance, position_source: source } of orbit) {
    expect(source).toBe('ground')
    expect(distance).toBeGreaterThan(60)
  }

  const stream = `rtsp://admin:${rig.installation.masterKey}@127.0.0.1:${rig.rtsp}/admin/vendor`
  const { stdout } = await rig.installation.command(
    ...['doctor', stream, '--telemetry', address, '--format', 'vendor_a', '--json'],
  )
  const report = JSON.parse(stdout) as { telemetry: { messages: number; skew_ms: number; missing: string[] } }
  expect(report.telemetry.messages).toBeGreaterThan(8)
  expect(report.telemetry.missing).toEqual([])
  expect(Math.abs(report.telemetry.skew_ms)).toBeLessThan(2_000)
  const landed = once(flight, 'exit')
  flight.kill('SIGINT')
  expect(await landed).toEqual([0, null])
})
