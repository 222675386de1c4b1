/**
 * What a stranger without a key can do where TLS is spoken: begin handshakes and never end them, or so slowly that each byte is a sign
 * of life. They count as connections without TLS do, in the same number and for the same time.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { type CertificateFolder, createCertificateFolder } from '../support/certificate-folder.ts'
import { sendHttp } from '../support/http-request.ts'
import { basic, startPublisher } from '../support/rtsp-roles.ts'

let certificate: CertificateFolder
let service: AttackedService
const sockets: Socket[] = []
beforeAll(async () => {
  certificate = createCertificateFolder()
  service = await startAttacked({ ...certificate.settings, AERIE_HTTP_REDIRECT_PORT: '0' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await service.installation.remove()
  certificate.remove()
})

const portOf = (name: string) => Number(service.ready[`${name}_port`])

async function stranger(name: string): Promise<Socket> {
  const socket = connect(portOf(name), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function gone(socket: Socket): Promise<string> {
  if (!socket.closed) await once(socket.resume(), 'close')
  return 'closed'
}

/** The record of a ClientHello that promises 512 bytes. */
const HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])

async function bobPublishes(): Promise<void> {
  const socket = connectTls({ port: portOf('rtsps'), host: '127.0.0.1', rejectUnauthorized: false })
  sockets.push(socket)
  await startPublisher(portOf('rtsps'), 'bob/cam', basic('bob', service.bob), socket)
}

test('handshakes that never end keep nobody out, of RTSPS and RTMPS together', async () => {
  const silent = await Promise.all(Array.from({ length: 300 }, () => stranger('rtsps')))
  const begun = await Promise.all(Array.from({ length: 300 }, () => stranger('rtmps')))
  for (const socket of begun) socket.write(HELLO)
  await bobPublishes()
  await gone(silent[0]!)
  await gone(begun[0]!)
})

test('handshakes that trickle are ended all the same', async () => {
  const outcomes = ['rtsps', 'rtmps', 'http'].map(async (name) => {
    const socket = await stranger(name)
    socket.write(HELLO)
    const trickle = setInterval(() => socket.write(Buffer.of(0)), 500)
    const outcome = await Promise.race([gone(socket), later(20_000)])
    clearInterval(trickle)
    return outcome
  })
  expect(await Promise.all(outcomes)).toEqual(['closed', 'closed', 'closed'])
})

test.each(['rtsps', 'rtmps'])('on a connection by %s there is one handshake and no other', async (name) => {
  const options = { port: portOf(name), host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const
  const socket = connectTls(options)
  sockets.push(socket)
  await once(socket, 'secureConnect')
  const again = new Promise((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    socket.renegotiate({ rejectUnauthorized: false }, () => resolve('renegotiated'))
  })
  expect(await again).toBe('ERR_SSL_NO_RENEGOTIATION')
})

test('connections to the port that redirects keep nobody out of it', async () => {
  const idle = await Promise.all(Array.from({ length: 400 }, () => stranger('http_redirect')))
  expect((await sendHttp(`http://127.0.0.1:${portOf('http_redirect')}/`)).status).toBe(308)
  await gone(idle[0]!)
})

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`open after ${ms} ms`), ms))
