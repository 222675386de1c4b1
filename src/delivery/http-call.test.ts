import { createServer } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../test/builders/until.ts'
import { createHttpCaller, type HttpCaller, type HttpCallerOptions } from './http-call.ts'

let isOpen: Set<Socket>
let port: number
let http: HttpCaller
// Connections are kept for ever here, and no time for them is told.
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
  createHttpCaller({ dial: async () => [{ address: '127.0.0.1', family: 4 }], ...options })
const call = (host: string) =>
  http.post({ url: new URL(`http://${host}:${port}/`), accountId: 'account', headers: {}, body: '{}' })

test('a connection that nobody uses is closed after a while', async () => {
  http = createCaller({ idleMs: 100 })
  await call('one.test')
  expect(isOpen.size).toBe(1)
  await until(async () => isOpen.size === 0, 2_000)
})

test('of all hosts together only so many connections wait for the next call', async () => {
  http = createCaller({ maxIdle: 3 })
  const hosts = Array.from({ length: 10 }, (_, index) => `host-${index}.test`)
  for (const host of hosts) expect(await call(host)).toMatchObject({ status: 204 })
  await until(async () => isOpen.size === 3, 2_000)
  await call('host-0.test')
  expect(isOpen.size).toBe(3)
})
