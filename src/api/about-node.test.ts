import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectOf } from './about-node.ts'
import { addAboutProcess } from './about-process.ts'

let app: FastifyInstance
beforeAll(() => {
  app = fastify()
  addAboutProcess(app)
  const answer = async (request: FastifyRequest) => ({
    subject: (await subjectOf(request, (nodeId) => ['a', 'b'].includes(nodeId))) ?? null,
  })
  const fromQuery = ({ query }: FastifyRequest) => (query as { node?: string }).node
  app.get('/stream', { config: { aboutNode: fromQuery } }, answer)
  app.get('/file', { config: { aboutNode: async (request) => fromQuery(request) } }, answer)
  app.get('/process/:process_uuid/file', { config: { aboutNode: fromQuery } }, answer)
  app.get('/process/:process_uuid', answer)
  app.get('/here', answer)
})
afterAll(() => app.close())

test.each([
  ['/stream?node=b', { nodeId: 'b' }],
  ['/file?node=a', { nodeId: 'a' }],
  ['/stream', null],
  ['/stream?node=made-up', null],
  ['/stream?node=a&node=b', null],
  ['/process/1', { processId: '1' }],
  ['/process/1/file?node=b', { nodeId: 'b' }],
  ['/process/1/file?node=made-up', { processId: '1' }],
  ['/here?node=a', null],
  ['/nothing/like/that?node=a', undefined],
])('%s is about %o', async (url, subject) => {
  expect((await app.inject(url)).json<{ subject?: unknown }>().subject).toEqual(subject)
})

test('what cannot be looked up is an error of its own', async () => {
  const failing = fastify()
  const aboutNode = async () => {
    throw new Error('the database is away')
  }
  failing.get('/file', { config: { aboutNode } }, (request) => subjectOf(request, () => true))
  expect((await failing.inject('/file')).json()).toMatchObject({ message: 'the database is away' })
  await failing.close()
})
