import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { createKnownCredentials } from '../core/known-credentials.ts'
import { addFairTurns } from './fair-turns.ts'

const MAX_UNDER_WAY = 32
let app: FastifyInstance
let url: string
let begun: string[]
let release: () => void
beforeEach(async () => {
  begun = []
  const released = new Promise<void>((resolve) => (release = resolve))
  app = fastify()
  app.decorateRequest('account')
  app.addHook('onRequest', async (request) => {
    const id = request.headers['api_key']
    if (id) request.account = { id } as unknown as Account
  })
  const known = createKnownCredentials()
  known.add('tk_right', 'bob')
  addFairTurns(app, known)
  app.get('/quick', async () => void begun.push('quick'))
  app.get('/name/:name', async ({ params }) => void begun.push((params as { name: string }).name))
  const held = async (path: string) => {
    begun.push(path)
    await released
  }
  app.get('/held', () => held('held'))
  for (const kind of ['isStream', 'isUpload', 'isSlow'] as const)
    app.get(`/${kind}`, { config: { [kind]: true } }, () => held(kind))
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => (release(), app.close()))

const ask = (path: string, key = 'ann') => fetch(url + path, { headers: key ? { api_key: key } : {} })
const untilBegun = (path: string, count: number) =>
  expect.poll(() => begun.filter((other) => other === path).length).toBe(count)

test.each(['isStream', 'isUpload', 'isSlow'])(
  'forty of %s keep nothing else of their account waiting',
  async (kind) => {
    const held = Array.from({ length: 40 }, () => ask(`/${kind}`))
    await untilBegun(kind, 40)
    expect((await ask('/quick')).status).toBe(200)
    release()
    await Promise.all(held)
  },
)

test('beyond what may be under way an account waits for its own, strangers and what is bounded otherwise do not', async () => {
  const held = Array.from({ length: MAX_UNDER_WAY }, () => ask('/held'))
  await untilBegun('held', MAX_UNDER_WAY)
  const own = ask('/quick')
  expect((await ask('/quick', 'bob')).status).toBe(200)
  expect((await ask('/quick', '')).status).toBe(200)
  held.push(ask('/isSlow'))
  await untilBegun('isSlow', 1)
  expect(begun.filter((path) => path === 'quick')).toHaveLength(2)
  release()
  expect((await own).status).toBe(200)
  await Promise.all(held)
})

test('a stranger does not wait for all that another connection from its address has sent ahead', async () => {
  const [mallory, bob] = [connect(Number(new URL(url).port)), connect(Number(new URL(url).port))]
  await Promise.all([mallory, bob].map((socket) => once(socket, 'connect')))
  mallory.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500))
  while (begun.length === 0) await nextTurn()
  bob.write('GET /name/bob HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => begun).toContain('bob')
  for (const socket of [mallory, bob]) socket.destroy()
  expect(begun.indexOf('bob')).toBeLessThan(200)
})

test('who shows what was right before does not wait for strangers at its address', async () => {
  const strangers = Array.from({ length: 200 }, () => app.inject('/quick'))
  const bob = app.inject('/name/bob?token=tk_right')
  await Promise.all([...strangers, bob])
  expect(begun.indexOf('bob')).toBeLessThan(20)
})
