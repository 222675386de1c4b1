import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAboutProcess, processOf } from './about-process.ts'

let app: FastifyInstance
beforeAll(() => {
  app = fastify()
  addAboutProcess(app)
  const answer = async (request: Parameters<typeof processOf>[0]) => ({ about: (await processOf(request)) ?? null })
  app.get('/process/:process_uuid', answer)
  app.get('/process/:process_uuid/:output_uuid', answer)
  app.get('/process_uuid', answer)
  app.get('/tracks/:process_uuid', { config: { aboutProcess: false } }, answer)
  const fromQuery = ({ query }: { query: unknown }) => (query as { process?: string }).process
  app.get('/query', { config: { aboutProcess: fromQuery } }, answer)
})
afterAll(() => app.close())

test.each([
  ['/process/1', '1'],
  ['/process/1/2', '1'],
  ['/process_uuid', null],
  ['/tracks/1', null],
  ['/query?process=3', '3'],
  ['/query', null],
  ['/nothing/like/that', undefined],
])('%s is about %s', async (url, about) => {
  expect((await app.inject(url)).json<{ about?: string | null }>().about).toBe(about)
})
