/**
 * What anybody could do to HTTP without a key: 1000 requests sent ahead on one connection kept the service busy for minutes and
 * took a gigabyte; half-sent bodies were held for as long as a byte came now and then, and the rest of a refused upload was read
 * without end; connections had no bound; a body of 100,000 unknown fields with a long query was worked on for 15 seconds.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { sendHttp } from '../support/http-request.ts'

let service: AttackedService
let port: number
beforeAll(async () => {
  service = await startAttacked()
  port = Number(new URL(service.url).port)
})
afterAll(() => service?.installation.remove())

/** A connection that ends with the test; what it hears is kept. */
async function open(): Promise<{ socket: Socket; heard: () => string; closed: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (data) => (heard += data.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, heard: () => heard, closed }
}

async function workedMs(attack: () => Promise<unknown>): Promise<number> {
  const before = cpuMsOf(service.process.pid!)
  await attack()
  return cpuMsOf(service.process.pid!) - before
}

const isUp = async () => (await sendHttp(`${service.url}/status`, {})).status === 200

test.each(['/openapi.json', '/asyncapi.json', '/errors', '/status', '/nowhere', '/user_info'])(
  '1000 requests for %s at once end the connection, for little work',
  async (path) => {
    const { socket, closed } = await open()
    const worked = await workedMs(async () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(1000))
      await closed
    })
    expect(worked).toBeLessThan(1_500)
    expect(await isUp()).toBe(true)
  },
)

test('a few requests that are sent ahead are all answered', async () => {
  const { socket, heard } = await open()
  socket.write('GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(5))
  await expect.poll(() => heard().split('HTTP/1.1 200').length - 1).toBe(5)
})

test('a body that drips is ended after twenty seconds, after an answer at once', async () => {
  const bodies = ['/session', '/login', '/stream'].map(async (path) => {
    const { socket, heard, closed } = await open()
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    )
    const timer = setInterval(() => socket.write(' '), 500)
    onTestFinished(() => clearInterval(timer))
    await closed
    return heard()
  })
  const [session, login] = await Promise.all(bodies)
  expect(session).toContain('"code":"request-timeout"')
  expect(login).toContain('"code":"api-key-missing"')
}, 45_000)

test.each(['/video', '/session', '/nowhere'])('what is sent to %s after the refusal is not read on', async (path) => {
  const { socket, heard, closed } = await open()
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=b\r\n`
  socket.write(`${head}Content-Length: 10000000000\r\n\r\n--b\r\n`)
  const timer = setInterval(() => socket.write(Buffer.alloc(64 * 1024)), 50)
  onTestFinished(() => clearInterval(timer))
  const startedAt = performance.now()
  await closed
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(heard()).toMatch(/^HTTP\/1.1 4\d\d [^]*connection: close/i)
})

test('chunks of one byte end the connection, for little work', async () => {
  const worked = await workedMs(() =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        const { socket, heard, closed } = await open()
        socket.write('POST /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n')
        socket.write('1\r\na\r\n'.repeat(60_000))
        await closed
        expect(heard()).toMatch(/^HTTP\/1.1 4\d\d /)
      }),
    ),
  )
  expect(worked).toBeLessThan(2_000)
  expect(await isUp()).toBe(true)
}, 30_000)

test('thousands of idle connections keep nobody out', async () => {
  const idle: Socket[] = []
  onTestFinished(() => idle.forEach((socket) => socket.destroy()))
  for (let i = 0; i < 4_500; i += 500) {
    await Promise.all(Array.from({ length: 500 }, async () => idle.push((await open()).socket)))
    expect(await isUp()).toBe(true)
  }
  await expect
    .poll(() => idle.filter((socket) => socket.closed).length, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(500)
})

test('100,000 unknown fields behind 3000 parameters are no work for seconds', async () => {
  const names = Array.from({ length: 100_000 }, (_, i) => (i + 50_000).toString(36).padStart(4, 'a'))
  const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
  const query = names.slice(-2_900).join('&')
  const send = (path: string) =>
    sendHttp(`${service.url}${path}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_key: service.mallory },
      body,
    })
  expect((await send('/session')).status).toBe(413)
  const worked = await workedMs(async () => expect((await send('/stream')).status).toBe(400))
  expect(worked).toBeLessThan(1_500)
})
