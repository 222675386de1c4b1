import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenFailure } from './listen-failure.ts'

test.each([
  ['EADDRINUSE', 'another program uses it. Set AERIE_HTTP_PORT to another one.'],
  ['EACCES', 'it takes more rights to open it. Set AERIE_HTTP_PORT to another one.'],
  ['EADDRNOTAVAIL', 'this machine has no such address. Set AERIE_HOST to an address of this machine.'],
  ['ENOTFOUND', 'there is no such host. Set AERIE_HOST to an address of this machine.'],
  ['EMFILE', 'too many. Set AERIE_HTTP_PORT to another one.'],
])('%s: %s', (code, sentence) => {
  const error = Object.assign(new Error('too many'), { code })
  expect(listenFailure('HTTP', 80, error).message).toBe(`The HTTP server cannot listen on port 80: ${sentence}`)
})

test.each([
  ['RTSPS', 'AERIE_RTSPS_PORT'],
  ['HTTP redirect', 'AERIE_HTTP_REDIRECT_PORT'],
] as const)('%s is set by %s', (server, setting) =>
  expect(listenFailure(server, 80, Object.assign(new Error(), { code: 'EACCES' })).message).toContain(setting),
)

test('an address of another machine is told as that', async () => {
  const error = await new Promise<Error>((resolve) => createServer().once('error', resolve).listen(0, '192.0.2.1'))
  expect(listenFailure('RTSP', 8554, error).message).toContain('AERIE_HOST')
})

test('a port that is opened for UDP and for TCP is named with its transport', () => {
  const error = Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
  expect(listenFailure('WebRTC', 8189, error, 'UDP').message).toBe(
    'The WebRTC server cannot listen on UDP port 8189: another program uses it. Set AERIE_WEBRTC_PORT to another one.',
  )
})
