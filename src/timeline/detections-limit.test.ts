import { fastify, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { sendProblem } from '../api/problem.ts'
import { AppError } from '../core/errors.ts'
import { detectionRoutes, MAX_AT_ONCE_OF_ONE } from './detections.routes.ts'

let app: FastifyInstance
const PATIENCE = { timeout: 20_000 }
/** How to let the answers go on that were begun. */
let begun: (() => void)[]
let isBroken: boolean

beforeEach(async () => {
  begun = []
  isBroken = false
  app = fastify({ forceCloseConnections: true })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error as AppError))
  app.addHook('onRequest', async (request) => {
    request.account = anAccount({ username: String(request.headers['api_key']) })
  })
  const detections = {
    async open() {
      if (isBroken) throw new AppError('database-away')
      return { looks: waiting(), missingNodes: [] }
    },
  }
  const rights = { ownerFor: async (caller: ReturnType<typeof anAccount>) => caller }
  const reader = { readFile: async () => undefined }
  await app.register(detectionRoutes({ detections, reader, rights }))
  await app.listen({ port: 0 })
})
afterEach(() => app.close())

async function* waiting(): AsyncGenerator<never[], void> {
  await new Promise<void>((resolve) => begun.push(resolve))
  yield []
}

function ask(key: string, signal?: AbortSignal): Promise<Response> {
  const { port } = app.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}/source/0190aaaa-0000-7000-8000-000000000001/detections`
  return fetch(url, { headers: { api_key: key }, ...(signal && { signal }) })
}

const fill = async (key: string, signal?: AbortSignal) => {
  const wanted = begun.length + MAX_AT_ONCE_OF_ONE
  const answers = Array.from({ length: MAX_AT_ONCE_OF_ONE }, () => ask(key, signal))
  await expect.poll(() => begun.length, PATIENCE).toBe(wanted)
  return answers
}

test('one key is sent no more at once than it may be, with a sentence; others are', async () => {
  const answers = await fill('ann')
  const refused = await ask('ann')
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    429,
    '1',
    { code: 'detection-streams-used-up', detail: expect.stringContaining('read to the end') as string },
  ])
  const ofBob = ask('bob')
  await expect.poll(() => begun.length, PATIENCE).toBe(MAX_AT_ONCE_OF_ONE + 1)
  for (const go of begun) go()
  for (const answer of [...answers, ofBob]) expect(await (await answer).json()).toEqual([])
  const again = ask('ann')
  await expect.poll(() => begun.length, PATIENCE).toBe(MAX_AT_ONCE_OF_ONE + 2)
  begun.at(-1)!()
  expect((await again).status).toBe(200)
})

test('who leaves, and what fails, takes no place', async () => {
  const leaving = new AbortController()
  const answers = await fill('ann', leaving.signal)
  leaving.abort()
  await Promise.allSettled(answers)
  isBroken = true
  for (let turn = 0; turn <= MAX_AT_ONCE_OF_ONE; turn++)
    await expect.poll(async () => (await ask('ann')).status, PATIENCE).toBe(503)
  isBroken = false
  const again = await fill('ann')
  expect((await ask('ann')).status).toBe(429)
  for (const go of begun) go()
  await Promise.all(again)
})
