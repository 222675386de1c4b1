import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { type AdmissionLimits, createConnectionAdmission } from './connection-admission.ts'
import { type Client, createListener } from './listener.ts'

const old = createSecureContext(createSelfSigned('old.example.org'))
const renewed = createSecureContext(createSelfSigned('new.example.org'))
let current = old
let clients: Client[] = []
beforeEach(() => {
  current = old
  clients = []
})

/** A plain port and one by TLS, on which everybody hears what they say. */
async function listen(limits: Partial<AdmissionLimits> = {}): Promise<{ plain: number; tls: number }> {
  const listener = createListener({
    host: '127.0.0.1',
    admission: createConnectionAdmission(limits),
    refusals: { note: () => {} },
    serve(client) {
      clients.push(client)
      client.socket.on('error', () => {}).on('data', (data: Buffer) => client.socket.write(data))
    },
    onError: () => {},
  })
  onTestFinished(async () => {
    for (const { socket } of clients) socket.destroy()
    await listener.close()
  })
  return {
    plain: await listener.listen({ port: 0 }),
    tls: await listener.listen({ port: 0, secureContext: () => current }),
  }
}

async function secure(port: number): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

const hostOf = (socket: TLSSocket) => socket.getPeerCertificate().subject.CN

test('plain and by TLS the same is served, which knows by which it came', async () => {
  const { plain, tls } = await listen()
  const sockets = [connect(plain, '127.0.0.1'), await secure(tls)]
  for (const socket of sockets) {
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
  }
  expect(clients.map(({ isEncrypted }) => isEncrypted).sort()).toEqual([false, true])
})

test('a renewed certificate is for new connections; the old ones go on', async () => {
  const { tls } = await listen()
  const before = await secure(tls)
  current = renewed
  const after = await secure(tls)
  expect([hostOf(before), hostOf(after)]).toEqual(['old.example.org', 'new.example.org'])
  before.write('still here')
  expect(String((await once(before, 'data'))[0])).toBe('still here')
})

test('a handshake that never ends takes a place like any other connection, and no longer', async () => {
  const { plain, tls } = await listen({ maxPerAddress: 1, reserved: 1, maxPendingPerAddress: 2, setupMs: 300 })
  const silent = connect(tls, '127.0.0.1')
  await once(silent, 'connect')
  const [second, third] = [connect(plain, '127.0.0.1'), connect(plain, '127.0.0.1')]
  await Promise.all([once(second, 'connect'), once(third, 'connect')])
  // It was the oldest of the three, on whichever port.
  await once(silent.resume(), 'close')
  const trickling = connect(tls, '127.0.0.1')
  trickling.on('error', () => {})
  // The record of a ClientHello that promises 512 bytes.
  trickling.write(Buffer.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3))
  const trickle = setInterval(() => trickling.write(Buffer.of(0)), 20)
  // A byte that nobody has read yet makes a reset of it, for which `once` would reject.
  await new Promise((resolve) => trickling.resume().once('close', resolve))
  clearInterval(trickle)
})
