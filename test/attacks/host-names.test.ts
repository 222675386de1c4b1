/**
 * DNS rebinding: a page at evil.example whose name suddenly resolves to our address is of our own origin for its browser, and read
 * what needs no key. And a Host that is no host (`[`) made the service answer 500; of two Hosts the first was taken, and a foreign
 * host in the address itself was not looked at.
 */
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { sendHttp } from '../support/http-request.ts'

let service: AttackedService
/** A stream of bob's. */
let sourceId: string

async function attack(settings: Record<string, string> = {}): Promise<void> {
  service = await startAttacked(settings)
  const body = { alias: 'cam', input_url: service.rtspUrl('bob/cam'), stream_type: 'rtsp' }
  const answer = await service.call('POST', '/stream', { key: service.bob, body })
  sourceId = ((await answer.json()) as { source_uuid: string }).source_uuid
}

const ask = (path: string, headers: Record<string, string>, method = 'GET', body?: unknown) =>
  sendHttp(service.url + path, {
    method,
    headers: { api_key: service.bob, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const socketPath = '/process/00000000-0000-7000-8000-000000000000/detection_data'

describe('with the defaults', () => {
  beforeAll(() => attack())
  afterAll(() => service?.installation.remove())

  test.each([
    ['/status', {}],
    ['/', {}],
    ['/sources', {}],
    ['/hls/bob/cam/index.m3u8', {}],
    ['/webrtc/bob/cam', {}],
    ['/nowhere', {}],
    [socketPath, handshake],
  ])('%s answers no name that is not ours', async (path, headers) => {
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'x'])
      expect((await ask(path, { host, ...headers })).status, host).toBe(421)
  })

  test('the operator is told once which names were asked for, and what to do', async () => {
    for (const _ of [1, 2]) expect((await ask('/status', { host: 'forgotten.lan' })).status).toBe(421)
    const warnings = service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"host":"forgotten.lan"'))
    expect(warnings).toEqual([expect.stringContaining('AERIE_HOSTS')])
  })

  test('the answer says what to do', async () => {
    const { text, headers } = await ask('/status', { host: 'evil.example:8080' })
    expect(headers['content-type']).toContain('application/problem+json')
    expect(JSON.parse(text)).toMatchObject({
      code: 'host-unknown',
      detail: expect.stringMatching(/IP address.*AERIE_HOSTS/),
    })
  })

  test.each(['[', ']', '[::1', '[evil]', 'a b', 'localhost/..', 'evil@localhost', 'localhost:99999', '%6c', ':80'])(
    'a Host that is none is the caller’s mistake: %s',
    async (host) => {
      for (const [method, path, body] of [
        ['GET', '/status'],
        ['GET', '/sources'],
        ['POST', `/source/${sourceId}/token`, { action: 'read' }],
        ['POST', '/process/00000000-0000-7000-8000-000000000000/00000000-0000-7000-8000-000000000001'],
        ['POST', '/session', { api_key: service.bob }],
      ] as const)
        expect((await ask(path, { host }, method, body)).status, `${method} ${path}`).toBe(400)
    },
  )

  test.each([
    'localhost',
    'LOCALHOST:8080',
    'a.localhost',
    'localhost.',
    '127.0.0.1',
    '[::1]:8080',
    '192.168.7.7',
    hostname(),
  ])('a name or address that is ours is answered: %s', async (host) => {
    expect((await ask('/sources', { host })).status).toBe(200)
  })

  test('load balancers may ask after our health by any name', async () => {
    for (const host of ['evil.example', '[']) {
      expect((await ask('/healthz', { host })).status).toBe(200)
      expect((await ask('/readyz', { host })).status).toBe(200)
    }
  })

  test('what somebody who is no proxy says of the host and the protocol is not believed', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript', host: 'localhost:8080' }
    const { text, status } = await ask(`/source/${sourceId}/token`, forged, 'POST', { action: 'read' })
    expect(status).toBe(201)
    expect(text).toContain('http://localhost:8080/hls/')
    expect(text).not.toMatch(/evil|javascript/)
    expect((await ask('/status', { host: 'evil.example', 'x-forwarded-host': 'localhost' })).status).toBe(421)
  })

  test.each([
    ['two Hosts', 'GET /status HTTP/1.1', ['localhost', 'evil.example']],
    ['no Host', 'GET /status HTTP/1.1', []],
    ['no Host, where any is answered', 'GET /healthz HTTP/1.1', []],
    ['two Hosts, where any is answered', 'GET /healthz HTTP/1.1', ['localhost', 'localhost']],
    ['an address of another host', 'GET http://evil.example/status HTTP/1.1', ['localhost']],
  ])('%s are refused', async (_name, line, hosts) => {
    const head = [line, ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', '']
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(head.join('\r\n')))
    let heard = ''
    for await (const chunk of socket) heard += String(chunk)
    expect(heard).toMatch(/^HTTP\/1.1 400 [^]*"request-malformed"/)
  })
})

describe('with names of the operator’s, behind a listed proxy', () => {
  beforeAll(() => attack({ AERIE_HOSTS: 'video.example.org, Cam-Server', AERIE_TRUST_PROXY: '127.0.0.1' }))
  afterAll(() => service?.installation.remove())

  test.each([
    ['video.example.org', 200],
    ['VIDEO.example.org:443', 200],
    ['cam-server', 200],
    ['other.example.org', 421],
    ['a.video.example.org', 421],
  ])('%s is answered by %i', async (host, status) => {
    expect((await ask('/status', { host })).status).toBe(status)
    expect((await ask('/status', { host: '127.0.0.1', 'x-forwarded-host': host })).status).toBe(status)
    // The proxy appends; what its visitor said stands before.
    const forged = `localhost, ${host}`
    expect((await ask('/status', { host: '127.0.0.1', 'x-forwarded-host': forged })).status).toBe(status)
  })

  test('a host that is none is refused also from a proxy', async () => {
    expect((await ask('/status', { 'x-forwarded-host': '[' })).status).toBe(400)
  })

  test.each(['[', 'javascript', 'https:', 'x://y', 'https, javascript'])(
    'an odd protocol that a proxy passes on does not come back in addresses: %s',
    async (odd) => {
      const headers = { 'x-forwarded-proto': odd, 'x-forwarded-host': 'video.example.org' }
      const { status, text } = await ask(`/source/${sourceId}/token`, headers, 'POST', { action: 'read' })
      expect(status).toBe(201)
      expect((JSON.parse(text) as { urls: { hls: string } }).urls.hls).toMatch(/^http:\/\/video\.example\.org\/hls\//)
    },
  )
})
