import { type AddressInfo, connect } from 'node:net'
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

/** Asks, and leaves before the request is whole. */
async function leave(level: string) {
  const lines: string[] = []
  const asked: string[] = []
  const app = fastify()
  addRequestLog(app, createLog({ level, write: (line) => void lines.push(line) }), {} as Metrics)
  const left = new Promise<void>((resolve) => {
    app.addHook('onRequest', async (request) => {
      const { url } = request
      Object.defineProperty(request, 'url', { get: () => (asked.push(url), url) })
      client.destroy()
    })
    app.addHook('onRequestAbort', async (_request) => resolve())
  })
  app.post('/here', async () => '')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.write('POST /here HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n')
  await left
  await app.close()
  return { lines, asked }
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
  expect(JSON.parse(lines[0]!)).toMatchObject({ address: '127.0.0.1' })
})

test.each([
  ['warn', 0],
  ['info', 1],
])('at %s who leaves has %i lines, and nothing else is masked', async (level, count) => {
  const { lines, asked } = await leave(level)
  expect([lines.length, asked.length]).toEqual([count, count])
})
