/**
 * What a stranger without a key did to the RTMP server: froze it with an application of 120,000 slashes, filled its
 * memory with messages that never end, and kept connections open by ending streams that it never began.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { childrenOf } from '../support/child-processes.ts'
import { createRtmpClient, type RtmpClient } from '../support/rtmp-client.ts'

let service: AttackedService
let port: number
const clients: RtmpClient[] = []
beforeAll(async () => {
  service = await startAttacked()
  port = Number(service.ready['rtmp_port'])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await service.installation.remove()
})

async function stranger(): Promise<RtmpClient> {
  const client = await createRtmpClient({ port })
  clients.push(client)
  return client
}

const bobPublishes = async () => (await stranger()).publish('bob', `cam?api_key=${service.bob}`)
const accepted = { code: 'NetStream.Publish.Start' }

test('an application of 120,000 slashes ends its connection, and nobody waits for it', async () => {
  const client = await stranger()
  client.command('connect', 1, { app: `a${'/'.repeat(120_000)}b`, tcUrl: 'rtmp://127.0.0.1/a' })
  client.command('createStream', 2, null)
  client.command('play', 3, null, 'cam')
  const startedAt = performance.now()
  expect(await bobPublishes()).toMatchObject(accepted)
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  await client.closed
})

test.each(['app', 'tcUrl'])('one that has 2,000 in its %s is told how long an address may be', async (field) => {
  const client = await stranger()
  client.command('connect', 1, { app: 'a', tcUrl: 'rtmp://h/a', [field]: `a${'/'.repeat(2_000)}b` })
  expect((await client.answer('_error'))[3]).toMatchObject({
    code: 'NetConnection.Connect.Rejected',
    description: 'An address may have 1024 characters; shorten it.',
  })
  await client.closed
})

test.each(['publish', 'play'] as const)('so is one that has 50,000 in the name to %s', async (action) => {
  const client = await stranger()
  const startedAt = performance.now()
  const status = await client[action]('bob', `a${'/'.repeat(50_000)}b`)
  expect(status.description).toBe('An address may have 1024 characters; shorten it.')
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

test('messages that never end take no memory', async () => {
  const [pid] = childrenOf(service.process.pid!, 'media-server')
  const before = residentBytes(pid!)
  const unfinished = Buffer.concat([
    // A chunk size of 8 MB, then a message of almost as much that lacks its end.
    Buffer.from('0200000000000401000000000080000004000000700000080100000000', 'hex'),
    Buffer.alloc(0x6f0000),
  ])
  const ten = await Promise.all(Array.from({ length: 10 }, stranger))
  const startedAt = performance.now()
  for (const client of ten) client.send(unfinished)
  await Promise.all(ten.map(({ closed }) => closed))
  // Long before their time to begin is up.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  expect(residentBytes(pid!) - before).toBeLessThan(60 * 1024 * 1024)
})

test('nothing extends the time in which a client must begin', async () => {
  const client = await stranger()
  await client.connect('bob')
  const again = setInterval(() => client.command('deleteStream', 0, null, 1), 500)
  const outcome = await Promise.race([client.closed.then(() => 'closed'), later(16_000)])
  clearInterval(again)
  expect(outcome).toBe('closed')
})

test('idle connections keep nobody out, and are not kept', async () => {
  const idle = await Promise.all(Array.from({ length: 300 }, () => idleConnection()))
  expect(await bobPublishes()).toMatchObject(accepted)
  await idle[0]!.closed
  for (const { close } of idle) close()
})

async function idleConnection() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { closed, close: () => void socket.destroy() }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`open after ${ms} ms`), ms))
