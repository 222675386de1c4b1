import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { addRoomForUrgentWork } from './room-for-urgent-work.ts'

let app: FastifyInstance
let made: string[]
beforeEach(() => {
  made = []
  app = fastify()
  app.decorateRequest('account')
  app.addHook('onRequest', async (request) => {
    const masterId = { master: null, child: '1' }[String(request.headers['api_key'])]
    if (masterId !== undefined) request.account = { masterId } as unknown as Account
  })
  addRoomForUrgentWork(app, (work) => void made.push(work))
  for (const urgentWork of ['removal', 'revocation', 'key-revocation'] as const)
    app.delete(`/${urgentWork}`, { config: { urgentWork } }, async () => {})
  app.delete('/other', async () => {})
})
afterEach(() => app.close())

const stranger = ''
test.each([
  ['master', '/removal', ['removal']],
  ['master', '/key-revocation', ['key-revocation']],
  ['child', '/removal', ['removal']],
  ['child', '/revocation', ['revocation']],
  ['child', '/key-revocation', []],
  ['child', '/other', []],
  ['master', '/nonsense', []],
  [stranger, '/nonsense', []],
  [stranger, '/removal', []],
])('by %j DELETE %s makes room for %j', async (key, url, expected) => {
  await app.inject({ method: 'DELETE', url, headers: { api_key: key } })
  expect(made).toEqual(expected)
})
