import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished, expect, test } from 'vitest'
import { closedPort, listen } from '../../../../test/builders/rtmp-receiver.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { type ForwarderOptions, openPinnedForwarder } from './pinned-forwarder.ts'

async function aForwarder(options: Partial<ForwarderOptions> & { port: number }) {
  const forwarder = await openPinnedForwarder({
    address: '127.0.0.1',
    tlsName: undefined,
    maxConnections: 1,
    timeoutMs: 5_000,
    ...options,
  })
  onTestFinished(() => forwarder.close())
  return forwarder
}

test('bytes go both ways, for one client', async () => {
  const port = await listen((socket) => socket.pipe(socket))
  const forwarder = await aForwarder({ port })
  const client = connect(forwarder.port, '127.0.0.1')
  client.write('hello')
  const [echo] = (await once(client, 'data')) as [Buffer]
  expect(echo.toString()).toBe('hello')
  const second = connect(forwarder.port, '127.0.0.1')
  await expect(once(second, 'connect')).rejects.toThrow('ECONNREFUSED')
  client.destroy()
})

test('a server that is not there is told of', async () => {
  const forwarder = await aForwarder({ port: await closedPort() })
  await once(connect(forwarder.port, '127.0.0.1'), 'close')
  expect(forwarder.failure).toBe('Connection refused.')
})

test('nothing is sent to a server whose certificate nobody vouches for', async () => {
  const server = createTlsServer(createSelfSigned(), () => {}).on('tlsClientError', () => {})
  let received = 0
  server.on('secureConnection', (socket) => socket.on('error', () => {}).on('data', () => received++))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const forwarder = await aForwarder({ port, tlsName: 'localhost' })
  const client = connect(forwarder.port, '127.0.0.1')
  client.on('error', () => {}).write('secret')
  await once(client, 'close')
  expect(forwarder.failure).toContain('Its certificate is not trusted')
  expect(received).toBe(0)
})

test('a server that says nothing is left after a while', async () => {
  const forwarder = await aForwarder({ port: await listen(() => {}), timeoutMs: 100 })
  await once(connect(forwarder.port, '127.0.0.1').resume(), 'close')
})

test('closing ends whatever is under way, also where nobody came', async () => {
  const forwarder = await aForwarder({ port: await listen(() => {}) })
  const client = connect(forwarder.port, '127.0.0.1').on('error', () => {})
  await once(client, 'connect')
  await forwarder.close()
  await (await aForwarder({ port: 9 })).close()
})
