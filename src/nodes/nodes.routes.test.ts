import { fastify } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { nodeRoutes } from './nodes.routes.ts'
import { type NodeService } from './nodes.service.ts'

let app: ReturnType<typeof fastify>
let asked: unknown[]
const CURSOR = '00000000-0000-7000-8000-000000000001'

beforeEach(async () => {
  asked = []
  const note =
    <T>(answer: T) =>
    async (...[account, ...rest]: readonly unknown[]) => {
      asked.push([(account as { username: string }).username, ...rest])
      return answer
    }
  const record = { node: 'a', state: 'draining', started_at: '', version: '1', labels: [], load: null }
  const counts = { processes: 1, files: 0, cameras: 0, streams: 0, reached_by_rtsp: true }
  const nodes = {
    setDraining: note({ ...record, ...counts }),
    forget: note(undefined),
    listProcesses: note({
      items: [{ id: CURSOR, username: 'u', sourceAlias: null, sourceType: 'file', state: 'running', createdAt: 0 }],
      nextCursor: CURSOR,
    }),
  } as unknown as NodeService
  app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('account', { getter: () => anAccount({ username: 'admin' }) })
  await app.register(nodeRoutes(nodes))
})
afterEach(() => app.close())

test('a page of processes leads to the next one', async () => {
  const answer = await app.inject('/nodes/a/processes?limit=1')
  expect(answer.headers['link']).toBe(`</nodes/a/processes?limit=1&cursor=${CURSOR}>; rel="next"`)
  expect(answer.json()).toMatchObject([{ process_uuid: CURSOR, source_type: 'file', state: 'running' }])
  expect(asked).toEqual([['admin', 'a', { limit: 1 }]])
})

test('draining is asked for by name, and nothing else', async () => {
  const patch = (payload: object) => app.inject({ method: 'PATCH', url: '/nodes/a', payload })
  expect((await patch({ draining: true })).json()).toMatchObject({ node: 'a', state: 'draining' })
  expect((await patch({ draining: 'yes' })).statusCode).toBe(400)
  expect((await patch({})).statusCode).toBe(400)
  expect((await patch({ draining: true, labels: [] })).statusCode).toBe(400)
  expect(asked).toEqual([['admin', 'a', true]])
})

test.each(['%00', 'North', 'a'.repeat(64), 'a%2Fb'])('%s is no name of a node', async (name) => {
  expect((await app.inject({ method: 'DELETE', url: `/nodes/${name}` })).statusCode).toBe(400)
  expect(asked).toEqual([])
})

test('a node is forgotten by its name', async () => {
  const answer = await app.inject({ method: 'DELETE', url: '/nodes/a' })
  expect(answer.json()).toEqual({ node: 'a', deleted: true })
  expect(asked).toEqual([['admin', 'a']])
})
