/**
 * Many requests at once, on as many connections as one likes: those of one key, or of a stranger, stood before everybody else's
 * for ten seconds and more, and so did questions of the media server, asked by RTSP; and a websocket could be had without a key wherever anything is public, whose pings were answered
 * without end. The ends of many bodies that came at once were parsed in one go.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { connectRtsp } from '../support/rtsp-client.ts'
import { basic } from '../support/rtsp-roles.ts'

let service: AttackedService
beforeAll(async () => {
  service = await startAttacked()
})
afterAll(() => service?.installation.remove())

/** A connection that ends with the test, and how many answers it has heard. */
async function open(): Promise<{ socket: Socket; answers: () => number; heard: () => string }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (data) => (heard += data.toString('latin1')))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, answers: () => heard.split('HTTP/1.1 200').length - 1, heard: () => heard }
}

test.each([
  { who: 'a key', path: '/sources/recordings', hasKey: true },
  { who: 'a key', path: '/alert_description', hasKey: true },
  { who: 'a stranger', path: '/openapi.json', hasKey: false },
])('$who that asks 960 times at once for $path does not stand before others', async ({ path, hasKey }) => {
  const flood = await Promise.all(Array.from({ length: 60 }, open))
  const key = hasKey ? `api_key: ${service.mallory}\r\n` : ''
  for (const { socket } of flood) socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}\r\n`.repeat(16))
  const answered = () => flood.reduce((sum, { answers }) => sum + answers(), 0)
  while (answered() === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  const bob = await fetch(`${service.url}/sources`, { headers: { api_key: service.bob } })
  const before = answered()
  expect(bob.status).toBe(200)
  expect(before).toBeLessThan(480)
  await expect.poll(answered, { timeout: 30_000 }).toBe(960)
})

/** As many values as are taken, in the form that is most work to look at. */
const body = JSON.stringify(Object.fromEntries(Array.from({ length: 19_900 }, (_, i) => [`field${i}`, i])))

/** Connections whose body lacks its last byte, which `end` sends to all of them at once. */
async function prepareBodies(count: number, key: string) {
  const clients = await Promise.all(Array.from({ length: count }, open))
  const head = `POST /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}Content-Type: application/json\r\n`
  for (const { socket } of clients) socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`)
  const answered = () => clients.filter(({ heard }) => heard().startsWith('HTTP/1.1 4')).length
  const end = () => clients.forEach(({ socket }) => socket.write('}'))
  return { answered, end }
}

/** All that came has been read. */
async function untilIdle(): Promise<void> {
  for (let before = -1; before !== cpuMsOf(service.process.pid!);) {
    before = cpuMsOf(service.process.pid!)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test('32 bodies of 20,000 values that end at once do not stand before others', async () => {
  const { answered, end } = await prepareBodies(32, `api_key: ${service.mallory}\r\n`)
  await untilIdle()
  end()
  while (answered() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const { status } = await fetch(`${service.url}/status`)
  const before = answered()
  expect(status).toBe(200)
  expect(before).toBeLessThan(24)
  await expect.poll(answered, { timeout: 30_000 }).toBe(32)
})

test('bodies of strangers are not parsed', async () => {
  const work = async (key: string) => {
    const before = cpuMsOf(service.process.pid!)
    const { answered, end } = await prepareBodies(32, key)
    end()
    await expect.poll(answered, { timeout: 30_000 }).toBe(32)
    return cpuMsOf(service.process.pid!) - before
  }
  const parsed = await work(`api_key: ${service.mallory}\r\n`)
  expect(await work('')).toBeLessThan(parsed / 2)
})

test('3000 wrong keys at once are each no more work than right ones, and stand before nobody', async () => {
  const ask = async (connections: number, key: (n: number) => string) => {
    const before = cpuMsOf(service.process.pid!)
    const flood = await Promise.all(Array.from({ length: connections }, open))
    flood.forEach(({ socket }, at) => {
      const one = (n: number) => `GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\napi_key: ${key(at * 15 + n)}\r\n\r\n`
      socket.write(Array.from({ length: 15 }, (_, n) => one(n)).join(''))
    })
    const answered = () => flood.reduce((sum, { heard }) => sum + heard().split('HTTP/1.1 ').length - 1, 0)
    while (answered() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const bob = await fetch(`${service.url}/sources`, { headers: { api_key: service.bob } })
    const meanwhile = answered()
    expect(bob.status).toBe(200)
    await expect.poll(answered, { timeout: 40_000 }).toBe(connections * 15)
    return { worked: (cpuMsOf(service.process.pid!) - before) / connections, meanwhile }
  }
  const right = await ask(40, () => service.mallory)
  const wrong = await ask(200, (n) => `ak_guess-${n}`)
  expect(wrong.meanwhile).toBeLessThan(1_500)
  expect(wrong.worked).toBeLessThan(2 * right.worked)
})

test('who asks by RTSP without end, with a key or with wrong tokens, does not stand before others', async () => {
  const rtsp = Number(service.ready['rtsp_port'])
  let isOver = false
  let answered = 0
  const asking = Array.from({ length: 100 }, async (_, i) => {
    while (!isOver) {
      const client = await connectRtsp(rtsp)
      onTestFinished(() => client.close())
      const ask = (n: number) =>
        i % 2 === 0
          ? client.request('DESCRIBE', service.rtspUrl('mallory/none'), basic('mallory', service.mallory))
          : client.request('DESCRIBE', `${service.rtspUrl('bob/cam')}?token=st_${i}${n}`)
      await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n).then(() => answered++))).catch(() => {})
      client.close()
    }
  })
  while (answered < 500) await new Promise((resolve) => setTimeout(resolve, 10))
  const before = []
  for (let i = 0; i < 8; i++) {
    const since = answered
    const { status } = await fetch(`${service.url}/sources`, { headers: { api_key: service.bob } })
    expect(status).toBe(200)
    before.push(answered - since)
  }
  isOver = true
  await Promise.all(asking)
  expect(before.sort((a, b) => a - b)[4]).toBeLessThan(50)
})

test.each(['/', '/status', '/docs', '/openapi.json', '/webrtc/bob/cam', '/console'])(
  'there is no websocket at %s for strangers',
  async (path) => {
    const { socket, heard } = await open()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const head = ['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    socket.write(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
    await closed
    expect(heard()).toMatch(/^HTTP\/1.1 4\d\d/)
  },
)
