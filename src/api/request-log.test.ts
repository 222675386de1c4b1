import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { addRequestLog } from './request-log.ts'

/** Answers what was counted, and of which addresses the text was asked for. */
async function ask(level: string, method: 'GET' | 'POST') {
  const counted: object[] = []
  const lines: string[] = []
  const asked: string[] = []
  const app = fastify()
  const log = createLog({ level, write: (line) => void lines.push(line) })
  addRequestLog(app, log, { countRequest: (request: object) => void counted.push(request) } as unknown as Metrics)
  app.route({
    method: ['GET', 'POST'],
    url: '/here',
    handler: async (request) => {
      const { url } = request
      Object.defineProperty(request, 'url', { get: () => (asked.push(url), url) })
      return ''
    },
  })
  await app.inject({ method, url: '/here?api_key=secret' })
  return { counted, lines, asked }
}

test('what is not written is counted, and costs no masking', async () => {
  const { counted, lines, asked } = await ask('info', 'GET')
  expect([counted.length, lines, asked]).toEqual([1, [], []])
})

test.each([
  ['debug', 'GET'],
  ['info', 'POST'],
] as const)('at %s a %s has its line, without secrets', async (level, method) => {
  const { counted, lines } = await ask(level, method)
  expect(counted).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('/here?api_key=***')])
})
