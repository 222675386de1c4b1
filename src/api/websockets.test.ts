import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type AppError } from '../core/errors.ts'
import { sendProblem } from './problem.ts'
import { addWebsockets } from './websockets.ts'

let app: FastifyInstance
let url: string
beforeEach(async () => {
  app = fastify()
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error as AppError))
  await addWebsockets(app)
  app.get('/plain', () => 'plain')
  app.route({ method: 'GET', url: '/socket', handler: () => 'plain', wsHandler: () => {} })
  app.route({ method: 'GET', url: '/socket/:name', handler: () => 'plain', wsHandler: () => {} })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterEach(() => app.close())

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/socket`)
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

test.each(['/plain', '/nowhere'])('a handshake at %s, where there is no websocket, is refused', async (path) => {
  const socket = new WebSocket(url + path)
  const [error] = (await once(socket, 'error')) as [Error]
  expect(error.message).toMatch(/40[04]/)
})

const handshakeAt = (path: string) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n')

test.each([
  ['at an address that cannot be decoded', handshakeAt('/socket/%zz'), 'HTTP/1.1 400'],
  ['with a parameter that is far too long', handshakeAt(`/socket/${'a'.repeat(500)}`), 'HTTP/1.1 4'],
  ['behind a request', `GET /plain HTTP/1.1\r\nHost: a\r\n\r\n${handshakeAt('/socket')}`, 'HTTP/1.1 200'],
])('the connection of a handshake %s is closed after the answer', async (_where, sent, answer) => {
  // It stays open on this side: whether its client leaves is nothing that is waited for.
  const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  client.write(sent)
  expect(await text(client)).toContain(answer)
  client.destroy()
})

test('a ping is answered with its own words', async () => {
  const socket = await open()
  socket.ping('still there?')
  const [answer] = (await once(socket, 'pong')) as [Buffer]
  expect(answer.toString()).toBe('still there?')
  socket.terminate()
})

test.each(['ping', 'pong'] as const)('who sends %ss in masses is let go', async (frame) => {
  const socket = await open()
  let answers = 0
  socket.on('pong', () => answers++)
  const closed = once(socket, 'close')
  for (let i = 0; i < 1_000; i++) socket[frame]()
  await closed
  expect(answers).toBeLessThan(100)
})
