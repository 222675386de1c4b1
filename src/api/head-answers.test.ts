import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goneSignal } from '../http/gone-signal.ts'
import { addHeadAnswers } from './head-answers.ts'

let made: number
let isEnded: boolean
let gone: AbortSignal
let app: FastifyInstance
beforeEach(() => {
  ;[made, isEnded] = [0, false]
  app = fastify()
  addHeadAnswers(app)
  app.get('/text', async () => 'four')
  app.get('/stream', async (_request, reply) => {
    gone = goneSignal(reply)
    const body = Readable.from(pieces()).once('close', () => (isEnded = true))
    return reply.header('content-length', 50).send(body)
  })
})
afterEach(() => app.close())

async function* pieces() {
  for (; made < 50; made++) {
    await sleep(1)
    yield 'x'
  }
}

test('for a HEAD nothing is made that nobody would get, and who makes it learns that', async () => {
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/stream' })
  expect([statusCode, headers['content-length'], body]).toEqual([200, '50', ''])
  await expect.poll(() => isEnded).toBe(true)
  await expect.poll(() => gone.aborted).toBe(true)
  expect(made).toBe(0)
})

test('all else is answered as before', async () => {
  expect((await app.inject({ url: '/stream' })).body).toBe('x'.repeat(50))
  const { headers } = await app.inject({ method: 'HEAD', url: '/text' })
  expect(headers['content-length']).toBe('4')
})
