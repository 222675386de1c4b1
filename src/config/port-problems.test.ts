import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { loadConfig } from './config.ts'

let folder: string
let tls: Record<string, string>
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-ports-'))
  const { cert, key } = createSelfSigned()
  tls = { AERIE_TLS_CERT: join(folder, 'cert.pem'), AERIE_TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(tls['AERIE_TLS_CERT']!, cert)
  writeFileSync(tls['AERIE_TLS_KEY']!, key)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('without a certificate the plain ports are open', () => {
  const ports = { rtspPort: 8554, rtmpPort: 1935, rtspsPort: undefined, rtmpsPort: undefined }
  expect(loadConfig({})).toMatchObject({ ...ports, httpRedirectPort: undefined })
})

test('with one the encrypted ports are open beside them', () => {
  const ports = { rtspPort: 8554, rtmpPort: 1935, rtspsPort: 8322, rtmpsPort: 1936 }
  expect(loadConfig(tls)).toMatchObject({ ...ports, httpRedirectPort: undefined })
})

test('then the plain ones can be closed, and HTTP redirected', () => {
  const off = { AERIE_RTSP_PORT: 'off', AERIE_RTMP_PORT: 'off', AERIE_HTTP_REDIRECT_PORT: '80', AERIE_RTSPS_PORT: '0' }
  const ports = { rtspPort: undefined, rtmpPort: undefined, rtspsPort: 0, rtmpsPort: 1936 }
  expect(loadConfig({ ...tls, ...off })).toMatchObject({ ...ports, httpRedirectPort: 80 })
})

test('off in the file may be false', () => {
  const AERIE_CONFIG = join(folder, 'config.yml')
  writeFileSync(AERIE_CONFIG, 'AERIE_RTSP_PORT: false\nAERIE_RTMP_PORT: off\n')
  expect(loadConfig({ ...tls, AERIE_CONFIG })).toMatchObject({ rtspPort: undefined, rtmpPort: undefined })
})

test.each([
  [{ AERIE_RTSP_PORT: 'no' }, 'AERIE_RTSP_PORT: a port from 0 to 65535, or off (it is "no")'],
  [{ AERIE_RTMP_PORT: '70000' }, 'AERIE_RTMP_PORT: a port from 0 to 65535, or off'],
  [{ AERIE_RTSP_PORT: 'off' }, 'AERIE_RTSP_PORT: off leaves no RTSP at all, since RTSPS needs a certificate'],
  [{ AERIE_RTMP_PORT: 'off' }, 'AERIE_RTMP_PORT: off leaves no RTMP at all'],
  [{ AERIE_HTTP_REDIRECT_PORT: '80' }, 'AERIE_HTTP_REDIRECT_PORT: without a certificate there is no HTTPS'],
  [{ AERIE_RTMP_PORT: '8554' }, 'AERIE_RTSP_PORT and AERIE_RTMP_PORT: both are 8554'],
])('%j is refused', (settings, sentence) => expect(() => loadConfig(settings)).toThrow(sentence))

test('two servers want two ports, but any free one may be wanted twice', () => {
  expect(() => loadConfig({ ...tls, AERIE_RTSPS_PORT: '8554' })).toThrow('AERIE_RTSP_PORT and AERIE_RTSPS_PORT: both')
  expect(() => loadConfig({ ...tls, AERIE_HTTP_REDIRECT_PORT: '8080' })).toThrow('both are 8080')
  expect(loadConfig({ AERIE_RTSP_PORT: '0', AERIE_RTMP_PORT: '0' })).toMatchObject({ rtspPort: 0, rtmpPort: 0 })
  // Closed without a certificate.
  expect(loadConfig({ AERIE_HTTP_PORT: '8322' })).toMatchObject({ httpPort: 8322 })
})
