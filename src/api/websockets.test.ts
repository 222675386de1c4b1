import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
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
