/**
 * Any key read any account's live video: a source whose address was another name of the service's own machine was taken for a
 * camera elsewhere, and a worker read it by loopback, where no key was asked for. Tried with every name and address that
 * this machine has.
 */
import { hostname, networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { publish, type Running } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

let service: AttackedService
let camera: Running
beforeAll(async () => {
  service = await startAttacked()
  camera = publish(service.rtspUrl('bob/cam').replace('//', `//bob:${service.bob}@`), { audio: false })
  await register(service.bob, `rtsp://localhost:${String(service.ready['rtsp_port'])}/bob/cam`)
  await until(async () => (await statusesOf(service.bob)).includes('streaming'), 20_000)
})
afterAll(async () => {
  await camera.kill()
  await service.installation.remove()
})

const register = (key: string, inputUrl: string) =>
  service.call('POST', '/stream', {
    key,
    body: { alias: inputUrl, input_url: inputUrl, stream_type: inputUrl.slice(0, 4) },
  })

async function statusesOf(key: string): Promise<string[]> {
  const sources = (await (await service.call('GET', '/sources', { key })).json()) as { status: string }[]
  return sources.map(({ status }) => status)
}

const ownAddresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
const ownHosts = [
  hostname(),
  'localhost',
  'LOCALHOST',
  '127.1',
  '127.8.9.10',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  ...ownAddresses
    .filter(({ scopeid }) => !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
]

describe.each(ownHosts)('%s', (host) => {
  test.each(['rtsp', 'rtmp'])('does not lead to somebody else’s stream by %s', async (scheme) => {
    const inputUrl = `${scheme}://${host}:${String(service.ready[`${scheme}_port`])}/bob/cam`
    const answer = await register(service.mallory, inputUrl)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'stream-not-found' }])
    const look = await service.call('POST', '/stream/probe', { key: service.mallory, body: { input_url: inputUrl } })
    expect(look.status).toBe(404)
  })

  test('leads its owner to the stream on this media server', async () => {
    const answer = await register(service.bob, `rtsp://${host}:${String(service.ready['rtsp_port'])}/bob/cam`)
    expect(await answer.json()).toMatchObject({
      status: 'streaming',
      hls_url: expect.stringContaining('/hls/bob/cam/'),
    })
  })
})

test('with a path that is nobody’s it is no camera either', async () => {
  const answer = await register(service.mallory, `rtsp://${hostname()}:${String(service.ready['rtsp_port'])}/`)
  expect(answer.status).toBe(422)
})
