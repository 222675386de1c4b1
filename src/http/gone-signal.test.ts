import { once } from 'node:events'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goneSignal } from './gone-signal.ts'

let server: Server
beforeEach(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function connect() {
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
  // One that leaves hears of its own hanging up.
  client.on('error', () => {})
  client.end()
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, raw, gone: goneSignal({ raw }) }
}

test('a client that leaves without its answer is gone', async () => {
  const { client, gone } = await connect()
  expect(gone.aborted).toBe(false)
  client.destroy()
  await once(gone, 'abort')
})

test('one that has its whole answer is not', async () => {
  const { raw, gone } = await connect()
  raw.end('all')
  await once(raw, 'close')
  expect(gone.aborted).toBe(false)
})
