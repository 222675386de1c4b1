import { Duplex } from 'node:stream'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { until } from '../../test/support/until.ts'
import { type AppError } from '../core/errors.ts'
import { type TunnelSocket } from '../core/tunnel.ts'
import { addNodeRouting } from './node-routing.ts'
import { sendProblem } from './problem.ts'

let app: FastifyInstance
/** What is open to the other node, which never answers. */
let tunnels: Duplex[]
beforeEach(async () => {
  tunnels = []
  app = fastify()
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error as AppError))
  app.decorateRequest('account')
  app.addHook('onRequest', async (request) => {
    request.account = anAccount({ username: String(request.headers['name']) })
  })
  const openTunnel = async () => {
    const tunnel = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    tunnels.push(tunnel)
    return tunnel as unknown as TunnelSocket
  }
  addNodeRouting(app, { nodeOf: async () => 'b', openTunnel, acceptTunnels: () => () => {} }, 4)
  app.get('/', async () => 'never')
  await app.ready()
})
afterEach(() => app.close())

// `inject` alone would begin when it is waited for.
const ask = async (name: string) => app.inject({ url: '/', headers: { name } })

test('one account leaves room for others, and has it again when its requests are over', async () => {
  const open = [ask('ann'), ask('ann')]
  await until(async () => tunnels.length === 2)
  const refused = await ask('ann')
  expect(refused.json()).toMatchObject({ status: 503, code: 'node-connections-used-up' })
  expect(refused.headers['retry-after']).toBe('2')
  open.push(ask('bob'))
  await until(async () => tunnels.length === 3)
  expect((await ask('bob')).statusCode).toBe(503)
  for (const tunnel of tunnels) tunnel.destroy()
  for (const answer of await Promise.all(open)) expect(answer.json()).toMatchObject({ code: 'node-unreachable' })
  const again = ask('ann')
  await until(async () => tunnels.length === 4)
  tunnels.at(-1)!.destroy()
  await again
})
