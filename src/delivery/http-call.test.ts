import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { createHttpCaller, type HttpCaller, type HttpCallerOptions } from './http-call.ts'

let isOpen: Set<Socket>
let port: number
let http: HttpCaller
// Connections are kept for ever here, and no time for them is sent.
const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => void response.writeHead(204).end())
server.on('connection', (socket) => {
  isOpen.add(socket)
  socket.on('close', () => isOpen.delete(socket))
})
beforeEach(async () => {
  isOpen = new Set()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  await http.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const createCaller = (options: Partial<HttpCallerOptions>) =>
  createHttpCaller({ lookUp: async () => [{ address: '127.0.0.1', family: 4 }], ...options })
const call = (host: string) =>
  http.post({ url: new URL(`http://${host}:${port}/`), accountId: 'account', headers: {}, body: '{}' })

test('a connection that nobody uses is closed after a while', async () => {
  http = createCaller({ idleMs: 100 })
  await call('one.test')
  expect(isOpen.size).toBe(1)
  await until(async () => isOpen.size === 0)
})

test('of all hosts together only so many connections wait for the next call', async () => {
  http = createCaller({ maxIdle: 3 })
  const hosts = Array.from({ length: 10 }, (_, index) => `host-${index}.test`)
  for (const host of hosts) expect(await call(host)).toMatchObject({ status: 204 })
  await until(async () => isOpen.size === 3)
  await call('host-0.test')
  expect(isOpen.size).toBe(3)
})

test('a connection that is used again and again gathers nothing', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  http = createCaller({})
  for (let calls = 0; calls < 20; calls++) await call('one.test')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(isOpen.size).toBe(1)
  expect(warnings).toEqual([])
})

/** A receiver that answers every call with so many interim answers before the answer. */
async function createInterim(status: string, times: number) {
  const raw = createTcpServer((socket) => {
    socket.on('error', () => {})
    // Once per connection is enough.
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${status}\r\nLink: </x>\r\n\r\n`.repeat(times))
      if (times < 100) socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done))
  return { port: (raw.address() as AddressInfo).port, close: () => new Promise((done) => raw.close(done)) }
}

test.each(['100 Continue', '102 Processing', '103 Early Hints'])(
  '%s may come a few times, and not without an end',
  async (status) => {
    http = createCaller({ answerWithinMs: 60_000 })
    const [few, many] = [await createInterim(status, 8), await createInterim(status, 1_000)]
    const post = (to: number) =>
      http.post({ url: new URL(`http://one.test:${to}/`), accountId: 'account', headers: {}, body: '{}' })
    expect(await post(few.port)).toMatchObject({ status: 204 })
    // That receiver keeps the connection open: only the count ends it.
    await expect(post(many.port)).rejects.toThrow(`one.test:${many.port} sends interim answers (1xx) without an end.`)
    await Promise.all([few.close(), many.close()])
  },
)
