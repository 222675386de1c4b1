import { once } from 'node:events'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { addHandshakeDeadline } from './handshake-deadline.ts'

async function serve(withinMs: number): Promise<number> {
  const server = createServer(createSelfSigned(), (_request, response) => void response.end('here'))
  addHandshakeDeadline(server, withinMs)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Resolves also when it is by a reset. */
const closed = (socket: Socket) =>
  new Promise(
    (resolve) =>
      void socket
        .resume()
        .on('error', () => {})
        .once('close', resolve),
  )

test('a handshake that trickles is ended', async () => {
  const socket = connect(await serve(200), '127.0.0.1')
  // The record of a ClientHello that promises 512 bytes.
  socket.write(Buffer.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3))
  const trickle = setInterval(() => socket.write(Buffer.of(0)), 20)
  await closed(socket)
  clearInterval(trickle)
})

test('a connection whose handshake is done stays, and is answered later', async () => {
  const port = await serve(200)
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const trickling = connect(port, '127.0.0.1')
  // Began after it and is ended: so its own time is over too.
  await closed(trickling)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
})
