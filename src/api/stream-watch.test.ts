import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import websocket from '@fastify/websocket'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { RECHECK_MS } from '../core/standing-rights.ts'
import { addAuthentication } from './authentication.ts'
import { addBaseUrl } from './base-url.ts'
import { addUnreadBody } from './unread-body.ts'

let app: FastifyInstance
let host: string
let problem: Error | undefined
let clock: FakeClock
let asked: number
let uploaded: Promise<string>
beforeEach(async () => {
  problem = undefined
  clock = createFakeClock()
  asked = 0
  app = fastify()
  await app.register(websocket)
  const authenticate = async () => ({}) as Account
  const recheck = async () => {
    asked += 1
    if (problem) throw problem
    return authenticate()
  }
  addUnreadBody(app)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  addBaseUrl(app, undefined)
  addAuthentication(app, authenticate, recheck, clock)
  const config = { isStream: true }
  app.get('/events', { config }, (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).write('hello')
  })
  await app.register(async (scope) => scope.get('/socket', { config, websocket: true }, () => {}))
  app.post('/upload', { config: { isUpload: true } }, async ({ raw }) => {
    uploaded = text(raw)
    await uploaded
  })
  app.get('/short', { config }, async () => 'short')
  await app.listen({ port: 0, host: '127.0.0.1' })
  host = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterEach(async () => {
  app.server.closeAllConnections()
  await app.close()
})

const open = {
  async events(): Promise<Promise<unknown>[]> {
    const response = await fetch(`http://${host}/events`)
    return [response.text().catch(() => 'let go')]
  },
  async socket(): Promise<Promise<unknown>[]> {
    const socket = new WebSocket(`ws://${host}/socket`)
    await new Promise((resolve) => socket.once('open', resolve))
    return [new Promise((resolve) => socket.once('close', resolve))]
  },
}

test.each(['events', 'socket'] as const)('%s end when the session or the key has', async (name) => {
  const [ended] = await open[name]()
  problem = new AppError('session-ended')
  await clock.advance(RECHECK_MS)
  await ended
})

test('an upload is told why, and then let go', async () => {
  const upload = request(`http://${host}/upload`, { method: 'POST' })
  const arrived = once(app.server, 'request')
  upload.write('the beginning')
  await arrived
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>
  problem = new AppError('session-ended')
  await clock.advance(RECHECK_MS)
  const [response] = await answered
  expect(response.headers.connection).toBe('close')
  expect(await json(response)).toMatchObject({ status: 403, code: 'session-ended' })
  upload.destroy()
  await expect(uploaded).rejects.toThrow()
})

test('they go on while all is well, and while the database is away', async () => {
  const [ended] = await open.events()
  let isOver = false
  void ended!.then(() => (isOver = true))
  await clock.advance(RECHECK_MS)
  problem = new Error('The database does not answer.')
  await clock.advance(RECHECK_MS)
  await clock.advance(RECHECK_MS)
  await fetch(`http://${host}/none`)
  expect(isOver).toBe(false)
})

test('nothing is asked any more once they are over', async () => {
  await (await fetch(`http://${host}/short`)).text()
  await clock.advance(RECHECK_MS)
  expect(asked).toBe(0)
})
