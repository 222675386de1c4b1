/**
 * One key took every place at WebRTC's TCP port: a client that had one offer answered could show its name on any number of connections, and
 * each kept its place for good.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { publish, type Running } from '../support/ffmpeg.ts'
import { framed, stunRequest } from '../builders/stun-request.ts'
import { until } from '../support/until.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'

let service: AttackedService
const cameras: Running[] = []
const sockets = new Set<Socket>()
beforeAll(async () => {
  service = await startAttacked()
  for (const username of ['bob', 'mallory'] as const) {
    const url = service.rtspUrl(`${username}/cam`).replace('//', `//${username}:${service[username]}@`)
    cameras.push(publish(url, { audio: false }))
    await until(async () => (await offer(username)).status === 201, 20_000)
  }
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const camera of cameras) await camera.kill()
  await service.installation.remove()
})

const offer = (username: 'bob' | 'mallory') =>
  fetch(`${service.url}/webrtc/${username}/cam/whep`, {
    method: 'POST',
    headers: { api_key: service[username], 'content-type': 'application/sdp' },
    body: webrtcOffer('recvonly'),
  })

/** What an answer says of how to reach WebRTC by TCP. */
interface Session {
  readonly port: number
  readonly username: string
  readonly password: string
}

async function openSession(username: 'bob' | 'mallory'): Promise<Session> {
  const sdp = await (await offer(username)).text()
  const find = (pattern: RegExp) => pattern.exec(sdp)![1]!
  return {
    port: Number(find(/ tcp \d+ \S+ (\d+) typ host tcptype passive/i)),
    username: `${find(/^a=ice-ufrag:(\S+)/m)}:abcd`,
    password: find(/^a=ice-pwd:(\S+)/m),
  }
}

/** Whether WebRTC answers it by a connection of its own, which it keeps. */
function isAnswered({ port, username, password }: Session, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.add(socket)
  socket.on('error', () => {})
  socket.write(framed(stunRequest(username, password)))
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(false), 3_000)
    const settle = (answered: boolean) => {
      clearTimeout(deadline)
      resolve(answered)
    }
    socket.on('data', (data: Buffer) => data.readUInt16BE(2) === 0x0101 && settle(true))
    socket.once('close', () => {
      sockets.delete(socket)
      settle(false)
    })
  })
}

test('many sessions of one key, with many connections each, leave room for another’s', async () => {
  const sessions = await Promise.all(Array.from({ length: 45 }, () => openSession('mallory')))
  // More than an address has places.
  const addresses = ['127.0.0.1', '127.0.0.1', '127.0.0.2']
  let answered = 0
  for (const session of sessions) {
    // Few at a time: of those that are not answered yet an address has 32.
    const connections = Array.from({ length: 20 }, (_, i) => isAnswered(session, addresses[i % 3]!))
    answered += (await Promise.all(connections)).filter(Boolean).length
  }
  expect(answered).toBeGreaterThan(300)
  const bob = await openSession('bob')
  const places = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.9']
  expect(await Promise.all(places.map((address) => isAnswered(bob, address)))).toEqual([true, true, true, true])
}, 120_000)
