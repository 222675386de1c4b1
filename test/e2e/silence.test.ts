/** What stops without a word is said: telemetry, a publisher that hangs, a stream that ends. */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { listenToEvents } from '../support/event-listener.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Source {
  readonly source_uuid: string
  readonly status: string
  readonly problem: string | null
  readonly last_frame_at: string | null
  readonly last_frame_age_ms: number | null
  readonly last_telemetry_at: string | null
  readonly last_telemetry_age_ms: number | null
}

let rig: ProcessRig
beforeAll(async () => {
  rig = await createProcessRig()
})
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const sourceOf = (id: string) => rig.ask<Source>('GET', `/source/${id}`)

/** The value of a gauge; undefined where it has none with these labels. */
async function gauge(name: string, labels: string): Promise<number | undefined> {
  const text = await (await rig.service.call('GET', '/metrics')).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name}{${labels}} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('telemetry that stops, and then the stream, are said by process, source, events and figures', async () => {
  const { source_uuid: sourceId, ...fresh } = await rig.ask<Source>('POST', '/stream', {
    body: {
      alias: 'quiet',
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/quiet`,
      stream_type: 'rtsp',
      telemetry_cfg: { type: 'websocket' },
    },
  })
  expect(fresh).toMatchObject({ problem: null, last_frame_at: null, last_telemetry_at: null })
  const publisher = rig.publish('quiet')
  await until(async () => (await sourceOf(sourceId)).status === 'streaming', 30_000)
  const { process_uuid: processId, telemetry_url: telemetryUrl } = await rig.start(sourceId)
  const labels = `process_uuid="${processId}",alias="quiet"`
  const drone = new WebSocket(telemetryUrl)
  await once(drone, 'open')
  const flight = setInterval(() => drone.send(JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 })), 100)
  try {
    await until(async () => ((await rig.info(processId)).telemetry?.age_ms ?? Infinity) < 1_000, 10_000)
    await until(async () => ((await rig.info(processId)).last_frame_age_ms ?? Infinity) < 3_000, 10_000)
    expect(await rig.info(processId)).toMatchObject({
      state: 'running',
      source_alias: 'quiet',
      problem: null,
      last_frame_at: expect.stringMatching(/Z$/) as string,
      telemetry: { error: null, last_at: expect.stringMatching(/Z$/) as string },
    })
    await until(async () => ((await sourceOf(sourceId)).last_frame_age_ms ?? Infinity) < 3_000, 10_000)
    expect(await sourceOf(sourceId)).toMatchObject({ problem: null, last_telemetry_at: expect.any(String) as string })
    expect(await gauge('aerie_process_problem', labels)).toBe(0)
  } finally {
    clearInterval(flight)
  }

  const { statuses, ended } = await listenToEvents(rig.service.url, processId, rig.installation.masterKey)
  await until(async () => typeof statuses.at(-1)?.problem === 'string', 20_000)
  expect(statuses).toMatchObject([
    { process_uuid: processId, state: 'running', problem: null },
    { process_uuid: processId, state: 'running', problem: expect.stringContaining('No message for') as string },
  ])
  expect(statuses.at(-1)!.last_telemetry_age_ms).toBeGreaterThan(5_000)
  const silent = await rig.info(processId)
  expect(silent).toMatchObject({ state: 'running', error: null })
  expect(silent.telemetry!.error).toMatch(/^No message for \d+ s: positions are not known\./)
  expect(silent.problem).toContain('No message for')
  expect(await rig.ask<unknown>('GET', '/processes?state=live')).toMatchObject([
    {
      process_uuid: processId,
      problem: expect.stringContaining('No message for') as string,
      last_frame_age_ms: expect.any(Number) as number,
    },
  ])
  expect(await gauge('aerie_process_problem', labels)).toBe(1)
  expect(await gauge('aerie_process_last_telemetry_age_seconds', labels)).toBeGreaterThan(5)
  expect(await sourceOf(sourceId)).toMatchObject({
    problem: expect.stringMatching(/^Telemetry: No message for/) as string,
    last_telemetry_age_ms: expect.any(Number) as number,
  })

  await publisher.kill()
  const lost = await rig.untilState(processId, 'reconnecting')
  expect(lost.problem).toBe(lost.error)
  expect(lost.problem).not.toBeNull()
  const problemOfSource = async () => (await sourceOf(sourceId)).problem ?? ''
  await until(async () => /^Nothing has been sent for \d+ s\.$/.test(await problemOfSource()), 10_000)
  expect((await sourceOf(sourceId)).status).toBe('processing')
  await until(async () => ((await rig.info(processId)).last_frame_age_ms ?? 0) > 2_000, 10_000)
  expect(await gauge('aerie_process_last_frame_age_seconds', labels)).toBeGreaterThan(2)
  const ofSource = `source_uuid="${sourceId}",alias="quiet"`
  expect(await gauge('aerie_source_last_frame_age_seconds', ofSource)).toBeGreaterThan(1)
  expect(await gauge('aerie_source_last_telemetry_age_seconds', ofSource)).toBeGreaterThan(5)
  expect(await gauge('aerie_source_problem', ofSource)).toBe(1)
  const { problem } = lost
  expect(statuses).toContainEqual(expect.objectContaining({ state: 'reconnecting', problem }))

  const { last_frame_at } = await rig.info(processId)
  await rig.ask('DELETE', `/process/${processId}`)
  await ended
  expect(statuses.at(-1)).toMatchObject({ state: 'stopped' })
  drone.terminate()
  expect(await rig.info(processId)).toMatchObject({ last_frame_at, last_frame_age_ms: null })
})

test('a publisher that is connected and sends nothing is said of its source', async () => {
  const { sourceId, publisher } = await rig.goLive('hung')
  await until(async () => (await sourceOf(sourceId)).last_frame_at !== null, 10_000)
  publisher.process.kill('SIGSTOP')
  await until(async () => (await sourceOf(sourceId)).problem !== null, 20_000)
  expect(await sourceOf(sourceId)).toMatchObject({
    status: 'streaming',
    problem: expect.stringMatching(/^Connected, but no video for \d+ s\.$/) as string,
  })
  publisher.process.kill('SIGCONT')
  await until(async () => (await sourceOf(sourceId)).problem === null, 10_000)
})
