import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Running, start } from '../support/ffmpeg.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'
import { until } from '../support/until.ts'
import { watchByWebrtc } from '../support/webrtc-viewer.ts'

/** WebRTC where another program has its port. */
let installation: Installation
let publisher: Running | undefined
beforeEach(() => void (installation = createInstallation()))
afterEach(async () => {
  await publisher?.kill()
  await installation.remove()
})

const whepUrl = (service: RunningService) => `${service.url}/webrtc/admin/cam/whep`
const watch = (service: RunningService) => watchByWebrtc(whepUrl(service), installation.masterKey)
const count = (text: string, part: string) => text.split(part).length - 1
const inLog = (sentence: string) => `"msg":"${sentence}"`

async function startWithStream(settings: Record<string, string>): Promise<RunningService> {
  const service = await installation.start(settings)
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15']
  const output = `rtmp://127.0.0.1:${String(service.ready['rtmp_port'])}/admin/cam?api_key=${installation.masterKey}`
  publisher = start('ffmpeg', [...input, ...encoder, '-f', 'flv', output])
  const headers = { api_key: installation.masterKey, 'content-type': 'application/sdp' }
  const offer = () => fetch(whepUrl(service), { method: 'POST', headers, body: 'no offer' })
  await until(async () => (await offer()).status !== 404, 15_000)
  return service
}

test('a UDP port of another program is an answer in words and a warning, and no end of the gateway; freed, it is used', async () => {
  const other = createSocket('udp4').bind(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address()
  const service = await startWithStream({ AERIE_WEBRTC_PORT: String(port) })
  const sentence = `The WebRTC server cannot listen on UDP port ${port}: another program uses it. Set AERIE_WEBRTC_PORT to another one.`
  for (let i = 0; i < 2; i++) {
    const refused = watch(service)
    await expect(refused).rejects.toThrow(/^503: .*webrtc-not-listening/)
    await expect(refused).rejects.toThrow(sentence)
  }
  expect(count(service.stderr(), inLog(sentence))).toBe(1)
  expect(service.stderr()).not.toContain('SIGABRT')
  const { stdout } = await installation.command('doctor')
  expect(stdout).toContain('from the first viewer on WebRTC')
  expect(stdout).toContain(`WebRTC’s port ${port} is in use`)

  other.close()
  await once(other, 'close')
  const viewer = await watch(service)
  onTestFinished(() => viewer.close())
  await until(async () => viewer.packets > 0, 15_000)
  await service.stop()
})

test('a TCP port of another program is a warning; browsers come by UDP', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const service = await startWithStream({ AERIE_WEBRTC_PORT: String(port) })
  const viewer = await watch(service)
  onTestFinished(() => viewer.close())
  await until(async () => viewer.packets > 0, 15_000)
  expect(service.stderr()).toContain(`cannot listen on TCP port ${port}: another program uses it.`)
  expect(service.stderr()).toContain('browsers without UDP are left with HLS')
  await service.stop()
})
