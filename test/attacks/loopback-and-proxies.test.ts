/**
 * Loopback as a credential. From this machine every stream was read without a key, by each protocol; so every visitor of a reverse
 * proxy on it read them by HLS. With AERIE_TRUST_PROXY=true a forged X-Forwarded-For did the same from anywhere, and made each guess
 * at a key look like somebody else's first.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { probe } from '../support/outputs.ts'
import { loopedClip } from '../support/process-rig.ts'
import { type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts'
import { until } from '../support/until.ts'
import { createInstallation } from '../support/service.ts'

const VISITOR = '203.0.113.9'
let service: AttackedService
let camera: Running
let proxy: ReverseProxy
let visitor = VISITOR
let guesses = 0

async function attack(settings: Record<string, string> = {}): Promise<void> {
  service = await startAttacked(settings)
  proxy = await startReverseProxy(service.url, () => visitor)
  const target = service.rtspUrl('bob/cam').replace('//', `//bob:${service.bob}@`)
  camera = start('ffmpeg', [...loopedClip, '-f', 'rtsp', '-rtsp_transport', 'tcp', target], 240_000)
  await until(async () => (await watch(service.url, { api_key: service.bob })).status === 200, 30_000)
}

async function leave(): Promise<void> {
  await camera?.kill()
  await proxy?.close()
  await service?.installation.remove()
}

const watch = (origin: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/hls/bob/cam/index.m3u8`, { headers })
const offer = (origin: string) =>
  fetch(`${origin}/webrtc/bob/cam/whep`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: 'no offer',
  })

describe('with the defaults', () => {
  beforeAll(() => attack())
  afterAll(leave)

  test('a program on this machine reads no stream without credentials, by any protocol', async () => {
    await expect(probe(service.rtspUrl('bob/cam'))).rejects.toThrow('401')
    await expect(probe(service.rtmpUrl('bob/cam'))).rejects.toThrow('found no video')
    expect((await watch(service.url)).status).toBe(403)
    expect((await offer(service.url)).status).toBe(403)
    const withKey = service.rtmpUrl('bob/cam') + `?api_key=${service.bob}`
    await expect(probe(withKey)).resolves.toMatchObject({ height: 576 })
  })

  test('neither does a visitor of a reverse proxy on this machine of which nobody told the service', async () => {
    expect((await watch(proxy.url)).status).toBe(403)
    expect((await offer(proxy.url)).status).toBe(403)
    for (const forged of ['127.0.0.1', '::1', 'localhost', '127.0.0.1, 127.0.0.1'])
      expect((await watch(proxy.url, { 'x-forwarded-for': forged })).status, forged).toBe(403)
  })
})

describe('where loopback may read, behind a listed proxy', () => {
  beforeAll(() => attack({ AERIE_MEDIA_AUTH: 'remote', AERIE_TRUST_PROXY: '127.0.0.1' }))
  afterAll(leave)

  test('the service says at its start what the setting opens', () => {
    expect(service.stderr()).toMatch(/"level":40.*every program and user on this machine/)
  })

  test('a visitor is where the proxy saw it, whatever it says of itself', async () => {
    expect((await watch(service.url)).status).toBe(200)
    for (const forged of ['127.0.0.1', '::1', '127.0.0.1, 127.0.0.1', '10.0.0.1, 127.0.0.1', ', ,', 'x'.repeat(1000)])
      expect((await watch(proxy.url, { 'x-forwarded-for': forged })).status, forged).toBe(403)
    expect((await watch(proxy.url, { forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' })).status).toBe(403)
    visitor = 'unknown'
    expect((await watch(proxy.url)).status).toBe(403)
    visitor = VISITOR
  })

  test('guesses at keys are counted together, whoever each of them claims to be', async () => {
    const guess = async () => {
      const headers = { api_key: `guess-${guesses}`, 'x-forwarded-for': `198.51.100.${guesses++ % 256}` }
      return (await fetch(`${proxy.url}/login`, { headers })).status
    }
    visitor = '203.0.113.10'
    expect(await guess()).toBe(403)
    // Many at once: a try comes back every three seconds.
    await until(async () => (await Promise.all(Array.from({ length: 10 }, guess))).includes(429), 30_000)
    visitor = '203.0.113.11'
    expect(await guess()).toBe(403)
    visitor = VISITOR
  })
})

test.each(['true', '0.0.0.0/0', '::/0'])(
  'AERIE_TRUST_PROXY=%s is refused: everybody would be believed',
  async (all) => {
    const installation = createInstallation()
    try {
      await expect(installation.start({ AERIE_TRUST_PROXY: all })).rejects.toThrow(
        /AERIE_TRUST_PROXY: list the addresses or ranges of your proxies/,
      )
    } finally {
      await installation.remove()
    }
  },
)
