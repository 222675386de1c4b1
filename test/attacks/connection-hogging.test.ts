/**
 * One key against everybody else's HTTP: with 4000 connections, each with a request whose body never comes, no other account got
 * in until they timed out, and neither did the operator who would have revoked that key.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'

const MAX_CONNECTIONS = 4_000
let service: AttackedService
beforeAll(async () => {
  service = await startAttacked()
})
afterAll(() => service?.installation.remove())

function hold(key: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => resolve(socket))
    socket.on('error', () => {})
    const head = ['POST /stream HTTP/1.1', 'Host: 127.0.0.1', `api_key: ${key}`, 'Content-Type: application/json']
    socket.write(`${head.join('\r\n')}\r\nContent-Length: 100\r\n\r\n{`)
  })
}

test('who holds all connections makes room for others, and strangers at its address need not', async () => {
  const held: Socket[] = []
  // Behind a proxy it has the same address.
  const stranger = connect(Number(new URL(service.url).port), '127.0.0.1')
  await new Promise((resolve) => stranger.once('connect', resolve))
  held.push(stranger)
  try {
    for (let i = 0; i < MAX_CONNECTIONS; i += 200)
      held.push(...(await Promise.all(Array.from({ length: 200 }, () => hold(service.mallory)))))
    // All of them have been read by the time that one more is answered.
    const statuses = []
    for (let i = 0; i < 20; i++) {
      held.push(await hold(service.mallory))
      // Not kept alive: each is a newcomer.
      const answer = await fetch(`${service.url}/sources`, { headers: { api_key: service.bob, connection: 'close' } })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
    expect(stranger.closed).toBe(false)
    expect((await service.call('DELETE', '/keys/mallory')).status).toBe(200)
  } finally {
    for (const socket of held) socket.destroy()
  }
})
