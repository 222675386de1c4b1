/**
 * Webhooks, brokers, cameras and outputs could be on loopback, so a key reached services that listen for this machine only; with
 * `auth_url` it even had their answers sent on to a receiver of its own, as a bearer token. This machine is for master keys, and for
 * what the operator allows.
 */
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { publish, type Running } from '../support/ffmpeg.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { until } from '../support/until.ts'

let service: AttackedService
let internal: HttpReceiver
let camera: Running
let processId: string

beforeAll(async () => {
  service = await startAttacked()
  internal = await createHttpReceiver(
    (_call, response) => void response.end('{"token": "what only this machine may know"}'),
  )
  const path = service.rtspUrl('mallory/cam')
  camera = publish(path.replace('//', `//mallory:${service.mallory}@`), { audio: false })
  const body = { alias: 'cam', input_url: path, stream_type: 'rtsp' }
  const source = (await (await mallory('POST', '/stream', body)).json()) as { source_uuid: string }
  await until(async () => {
    const started = await mallory('POST', `/start?source_uuid=${source.source_uuid}`)
    if (started.status === 201) processId = ((await started.json()) as { process_uuid: string }).process_uuid
    return started.status === 201
  }, 60_000)
}, 90_000)
afterAll(async () => {
  await camera.kill()
  await service.installation.remove()
  await internal.close()
})

const mallory = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: service.mallory, ...(body !== undefined && { body }) })
const master = (method: string, path: string, body: unknown) => service.call(method, path, { body })

const alert = (type: 'mqtt' | 'webhook', host: string) => ({
  alias: `${type} ${host}`,
  type: 'filter-search',
  output: [
    type === 'mqtt'
      ? { type, config: { host, topic: 'x' } }
      : { type, config: { url: `http://${host}:${internal.port}/` } },
  ],
})

describe.each(['127.0.0.1', 'localhost', hostname(), '[::1]', '[::ffff:127.0.0.1]', '127.1.2.3'])('%s', (host) => {
  test.each([
    [
      'a webhook',
      () => mallory('POST', `/subscribe/${processId}`, { notification_url: `http://${host}:${internal.port}/` }),
    ],
    ['an alert by HTTP', () => mallory('POST', '/alert', alert('webhook', host))],
    ['an alert by MQTT', () => mallory('POST', '/alert', alert('mqtt', host))],
    [
      'a camera',
      () =>
        mallory('POST', '/stream', {
          alias: host,
          input_url: `rtsp://${host}:${internal.port}/x`,
          stream_type: 'rtsp',
        }),
    ],
    [
      'telemetry',
      () =>
        mallory('POST', '/stream', {
          alias: host,
          input_url: 'rtsp://192.0.2.77/x',
          stream_type: 'rtsp',
          telemetry_cfg: { type: 'mqtt', parameters: { ip: host, port: internal.port, topic: 'x' } },
        }),
    ],
    [
      'an RTMP output',
      () => mallory('POST', '/output', { alias: host, type: 'rtmp', url: `rtmp://${host}:${internal.port}/live/x` }),
    ],
  ])('is no place for %s of a child key', async (_what, register) => {
    const answer = await register()
    const problem = (await answer.json()) as { errors: { message: string }[] }
    expect([answer.status, problem.errors[0]!.message]).toEqual([422, expect.stringContaining('AERIE_OUTBOUND_ALLOW')])
  })
})

test('nothing was called all the while', () => {
  expect(internal.calls).toEqual([])
})

test('a login of another origin than the receiver is refused, whoever is called', async () => {
  const wish = { notification_url: 'http://192.0.2.77/hook', auth_url: 'http://192.0.2.78/latest/credentials' }
  const answer = await mallory('POST', `/subscribe/${processId}`, wish)
  const problem = (await answer.json()) as { errors: { path: string; message: string }[] }
  expect(answer.status).toBe(422)
  expect(problem.errors).toEqual([
    { path: 'body.auth_url', message: expect.stringContaining('AERIE_AUTH_ORIGINS=http://192.0.2.78') as string },
  ])
})

test('a master key may use a broker on this machine', async () => {
  expect((await master('POST', '/alert', alert('mqtt', '127.0.0.1'))).status).toBe(201)
})

test('what the operator allows is for all keys', async () => {
  const allowing = await startAttacked({ AERIE_OUTBOUND_ALLOW: '127.0.0.1' })
  const answers = await Promise.all(
    ['127.0.0.1', '127.0.0.2'].map((host) =>
      allowing.call('POST', '/alert', { key: allowing.mallory, body: alert('mqtt', host) }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 422])
  await allowing.installation.remove()
})
