/**
 * Many requests at once, on as many connections as one likes: those of one key, or of a stranger, stood before everybody else's
 * for ten seconds and more, and so did questions of the media server, asked by RTSP; and a websocket could be had without a key wherever anything is public, whose pings were answered
 * without end.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, startAttacked } from '../builders/attacked-service.ts'
import { connectRtsp } from '../builders/rtsp-client.ts'
import { basic } from '../builders/rtsp-roles.ts'

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
