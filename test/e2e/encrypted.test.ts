/** Encrypted beside plain: cameras with and without TLS, a certificate that is renewed while they send, and plain HTTP that leads to HTTPS. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type CertificateFolder, createCertificateFolder } from '../support/certificate-folder.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { sendHttp } from '../support/http-request.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'
import { until } from '../support/until.ts'

const ENCRYPTED_ONLY = { AERIE_RTSP_PORT: 'off', AERIE_RTMP_PORT: 'off' }

let certificate: CertificateFolder
let installation: Installation
let service: RunningService
const running: Running[] = []

beforeAll(async () => {
  certificate = createCertificateFolder()
  installation = createInstallation()
  service = await installation.start({ ...certificate.settings, AERIE_HTTP_REDIRECT_PORT: '0' })
})
afterEach(async () => void (await Promise.all(running.splice(0).map((one) => one.kill()))))
afterAll(async () => {
  await installation.remove()
  certificate.remove()
})

const portOf = (name: string) => Number(service.ready[`${name}_port`])

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await service.call(method, path, { ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered by ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

type Urls = Readonly<Record<'rtsp' | 'rtmp' | 'rtsp_plain' | 'rtmp_plain', string>>

/** A source at this address of ours, and what its tokens say about how to publish and to read it. */
async function register(inputUrl: string): Promise<{ id: string; hlsUrl: string; publish: Urls; read: Urls }> {
  const stream_type = inputUrl.slice(0, 4)
  const source = { alias: inputUrl, input_url: inputUrl, stream_type }
  const { source_uuid: id, hls_url } = await ask<{ source_uuid: string; hls_url: string }>('POST', '/stream', source)
  const urls = async (action: string) =>
    (await ask<{ urls: Urls }>('POST', `/source/${id}/token`, { action, expires_in_seconds: 600 })).urls
  return { id, hlsUrl: hls_url, publish: await urls('publish'), read: await urls('read') }
}

const isLive = async (id: string) => (await ask<{ status: string }>('GET', `/source/${id}`)).status === 'streaming'

function publish(url: string): Running {
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15', '-pix_fmt', 'yuv420p']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15']
  const publisher = start('ffmpeg', [...picture, ...video, ...formatOf(url), url], 180_000)
  running.push(publisher)
  return publisher
}

const formatOf = (url: string) => (url.startsWith('rtsp') ? ['-f', 'rtsp', '-rtsp_transport', 'tcp'] : ['-f', 'flv'])

/** Decodes this much, and has nothing to complain about. */
function watch(url: string, frames: number): Running {
  const transport = url.startsWith('rtsp') ? ['-rtsp_transport', 'tcp'] : []
  const input = ['-xerror', ...transport, '-i', url]
  const reader = start('ffmpeg', [...input, '-frames:v', String(frames), '-f', 'null', '-'], 120_000)
  running.push(reader)
  return reader
}

async function securelyConnect(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

const fingerprintOf = (socket: TLSSocket) => socket.getPeerCertificate().fingerprint256

async function servedAt(port: number): Promise<string> {
  const socket = await securelyConnect(port)
  const fingerprint = fingerprintOf(socket)
  socket.destroy()
  return fingerprint
}

test('cameras publish by RTSPS, RTMPS, RTSP and RTMP at once, and each is played by another', async () => {
  const names = ['rtsps', 'rtmps', 'rtsp', 'rtmp'] as const
  const sources = await Promise.all(
    names.map((scheme) => register(`${scheme}://127.0.0.1:${portOf(scheme)}/admin/by-${scheme}`)),
  )
  const [first] = sources
  expect(first!.hlsUrl).toBe(`${service.url}/hls/admin/by-rtsps/index.m3u8`)
  expect(first!.read.rtsp).toMatch(new RegExp(`^rtsps://admin:tk_[^@]+@127.0.0.1:${portOf('rtsps')}/admin/by-rtsps$`))
  expect(first!.read.rtsp_plain).toMatch(new RegExp(`^rtsp://admin:tk_[^@]+@127.0.0.1:${portOf('rtsp')}/`))
  expect(first!.read.rtmp).toMatch(new RegExp(`^rtmps://127.0.0.1:${portOf('rtmps')}/admin/by-rtsps\\?token=`))
  expect(first!.read.rtmp_plain).toMatch(new RegExp(`^rtmp://127.0.0.1:${portOf('rtmp')}/`))

  // What the console gives as the address to publish to.
  expect(await ask('GET', '/console/settings')).toMatchObject({ rtsp_scheme: 'rtsps', rtsp_port: portOf('rtsps') })

  const ways = ['rtsp', 'rtmp', 'rtsp_plain', 'rtmp_plain'] as const
  sources.forEach((source, at) => publish(source.publish[ways[at]!]))
  await until(async () => (await Promise.all(sources.map(({ id }) => isLive(id)))).every(Boolean))
  const readers = sources.map((source, at) => watch(source.read[ways[(at + 1) % ways.length]!], 30))
  for (const reader of readers) expect(await reader.finished).toMatchObject({ code: 0, complaints: '' })
})

test('a certificate that is renewed is seen by new connections, and what runs goes on', async () => {
  const source = await register(`rtsps://127.0.0.1:${portOf('rtsps')}/admin/renewed`)
  const publisher = publish(source.publish.rtsp)
  await until(() => isLive(source.id))
  const reader = watch(source.read.rtmp, 300)
  const open = await securelyConnect(portOf('http'))
  const before = fingerprintOf(open)

  const { fingerprint256: renewed } = new X509Certificate(certificate.renew())
  for (const name of ['http', 'rtsps', 'rtmps']) await until(async () => (await servedAt(portOf(name))) === renewed)

  open.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const [answer] = (await once(open, 'data')) as [Buffer]
  expect(answer.toString()).toContain('200 OK')
  expect(before).not.toBe(renewed)
  expect(await reader.finished).toMatchObject({ code: 0, complaints: '' })
  expect(publisher.process.exitCode).toBeNull()
  expect(service.stderr()).toContain('The certificate was replaced')
})

test('plain HTTP leads to HTTPS, but takes no key', async () => {
  const plain = `http://127.0.0.1:${portOf('http_redirect')}`
  const { status, headers } = await sendHttp(`${plain}/status?x=1`)
  expect([status, headers['location']]).toEqual([308, `${service.url}/status?x=1`])
  expect((await service.call('GET', '/status?x=1')).status).toBe(200)

  const withKey = await sendHttp(`${plain}/login?api_key=${installation.masterKey}`)
  expect([withKey.status, withKey.headers['location']]).toEqual([403, undefined])
  expect(withKey.text).toContain('https-required')
  expect(withKey.text).not.toContain(installation.masterKey)
  const elsewhere = await sendHttp(`${plain}/`, { headers: { host: 'evil.example' } })
  expect([elsewhere.status, elsewhere.headers['location']]).toEqual([421, undefined])
})

test('with the plain ports off, everything goes by TLS, our own workers too', async () => {
  await service.stop()
  service = await installation.start({ ...certificate.settings, ...ENCRYPTED_ONLY })
  expect([service.ready['rtsp_port'], service.ready['rtmp_port']]).toEqual([undefined, undefined])
  const source = await register(`rtmps://127.0.0.1:${portOf('rtmps')}/admin/closed`)
  expect(source.read).not.toHaveProperty('rtsp_plain')
  publish(source.publish.rtmp)
  await until(() => isLive(source.id))
  const hls = new URL(source.hlsUrl)
  await until(async () => (await service.call('GET', hls.pathname)).status === 200)
  const { stdout } = await installation.commandWith(certificate.settings, 'doctor')
  expect(stdout).toMatch(/^ok +TLS +HTTP, RTSP and RTMP are encrypted\.$/m)
  expect(stdout).toContain(`HTTPS ${portOf('http')}, RTSPS ${portOf('rtsps')}, RTMPS ${portOf('rtmps')},`)
})
