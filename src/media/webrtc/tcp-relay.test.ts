import { createSocket, Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, Server, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { framed, stunRequest } from '../../../test/builders/stun-request.ts'
import { openTcpRelay, type TcpRelay, type TcpRelayOptions } from './tcp-relay.ts'

let library: UdpSocket
let relay: TcpRelay
let browser: Socket
const browsers: Socket[] = []

async function openRelay(options: Partial<TcpRelayOptions>): Promise<void> {
  await relay?.close()
  const udpPort = library.address().port
  // Sessions have their account's name before the dash.
  const accountOf = (ufrag: string) => /^(\w+)-/.exec(ufrag)?.[1]
  relay = await openTcpRelay({ host: '127.0.0.1', port: 0, udpAddress: '127.0.0.1', udpPort, accountOf, ...options })
  browser = await connectBrowser()
}

async function connectBrowser(): Promise<Socket> {
  const socket = connect(relay.port, '127.0.0.1')
  socket.on('error', () => {})
  browsers.push(socket)
  // Being hung up on at once may come before the connection does.
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

beforeEach(async () => {
  library = createSocket('udp4').bind(0, '127.0.0.1')
  await once(library, 'listening')
  await openRelay({})
})
afterEach(async () => {
  for (const socket of browsers.splice(0)) socket.destroy()
  await relay.close()
  library.close()
})

const bindingRequest = stunRequest('bob-1:browser')

test('what a browser sends comes as datagrams from one port, and answers go back as frames', async () => {
  browser.write(framed(bindingRequest))
  const [first, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  expect(first).toEqual(bindingRequest)
  browser.write(framed(Buffer.from('hello')))
  const [second, again] = (await once(library, 'message')) as [Buffer, { port: number }]
  expect([second.toString(), again.port]).toEqual(['hello', from.port])
  library.send('answer', from.port, '127.0.0.1')
  expect((await once(browser, 'data'))[0]).toEqual(framed(Buffer.from('answer')))
})

test('a connection that cannot be accepted ends nothing', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  await openRelay({})
  const server = listen.mock.contexts[0] as Server
  listen.mockRestore()
  server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  await beAnswered(browser)
})

test.each([
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a frame that is not ICE', framed(Buffer.alloc(30, 9))],
  ['a session that is not there', framed(stunRequest('nobody:browser'))],
])('%s is hung up on', async (_name, bytes) => {
  browser.write(bytes)
  await closed(browser)
})

/** Being reset is an end too. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

/** Sends for as long as it is let. */
function nag(socket: Socket): void {
  const timer = setInterval(() => socket.write(framed(bindingRequest)), 5)
  socket.once('close', () => clearInterval(timer))
}

/** The library knows this browser, and answers it. */
async function beAnswered(socket: Socket, request = bindingRequest, answer = stunAnswer): Promise<void> {
  socket.write(framed(request))
  const [, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  library.send(answer, from.port, '127.0.0.1')
  await once(socket, 'data')
}

const stunAnswer = Buffer.from(bindingRequest)
stunAnswer.writeUInt16BE(0x0101)
const media = Buffer.alloc(30, 0x80)

test('whom the library does not answer has its time, and nothing that it sends extends it', async () => {
  await openRelay({ limits: { setupMs: 100 } })
  nag(browser)
  await closed(browser)
})

test('whom the library does not know hands on little; the rest comes once it is answered', async () => {
  const bytes = framed(bindingRequest, ...Array.from({ length: 200 }, () => Buffer.of(7)))
  const received: number[] = []
  library.on('message', (_data, { port }) => received.push(port))
  browser.write(bytes)
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(32))
  await wait(50)
  expect(received).toHaveLength(32)
  library.send('answer', received[0], '127.0.0.1')
  await vi.waitFor(() => expect(received).toHaveLength(201))
})

test('what a browser sends at once is handed on in turns with everybody else’s', async () => {
  await beAnswered(browser)
  const send = vi.spyOn(UdpSocket.prototype, 'send')
  const sentInRounds: number[] = []
  browser.write(framed(...Array.from({ length: 5_000 }, () => Buffer.of(7))))
  while (send.mock.calls.length < 5_000) {
    const before = send.mock.calls.length
    await nextRound()
    sentInRounds.push(send.mock.calls.length - before)
  }
  send.mockRestore()
  expect(Math.max(...sentInRounds)).toBeLessThan(200)
})

test('frames of no bytes are nothing to hand on, and take their turn too', async () => {
  browser.write(framed(bindingRequest, ...Array.from({ length: 20 }, () => Buffer.of()), Buffer.from('hello')))
  await once(library, 'message')
  expect(String((await once(library, 'message'))[0])).toBe('hello')
})

test('the library is known however its address is written', async () => {
  const library6 = createSocket('udp6').bind(0, '::1')
  await once(library6, 'listening')
  library6.on('message', (_data, { port }) => library6.send('answer', port, '::1'))
  await openRelay({ udpAddress: '0:0:0:0:0:0:0:1', udpPort: library6.address().port })
  browser.write(framed(bindingRequest))
  expect((await once(browser, 'data'))[0]).toEqual(framed(Buffer.from('answer')))
  library6.close()
})

test('an answer of anybody else is none', async () => {
  await openRelay({ limits: { setupMs: 200 } })
  browser.write(framed(bindingRequest))
  const [, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  const received: Buffer[] = []
  browser.on('data', (chunk: Buffer) => received.push(chunk))
  const stranger = createSocket('udp4')
  stranger.send('answer', from.port, '127.0.0.1')
  await closed(browser)
  stranger.close()
  expect(received).toEqual([])
})

test('whom the library answers no more goes too, whatever it sends', async () => {
  await openRelay({ limits: { setupMs: 60_000 }, silentMs: 100 })
  await beAnswered(browser)
  nag(browser)
  await closed(browser)
})

test('an answer that came while the process stood still is read before the connection is called silent', async () => {
  await openRelay({ silentMs: 50 })
  browser.write(framed(bindingRequest))
  const [, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  library.send(stunAnswer, from.port, '127.0.0.1')
  await once(browser, 'data')
  await new Promise<void>((sent) => library.send(media, from.port, '127.0.0.1', () => sent()))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
  expect((await once(browser, 'data'))[0]).toEqual(framed(media))
})

test.each([{ maxConnections: 2 }, { maxPerAddress: 2 }, { maxPendingPerAddress: 1 }])(
  'with %o a newcomer takes the place of the oldest that is not answered, never of one that carries media',
  async (limits) => {
    await openRelay({ limits })
    await beAnswered(browser, bindingRequest, media)
    const unknown = await connectBrowser()
    unknown.write(framed(bindingRequest))
    await once(library, 'message')
    const gone = closed(unknown)
    await beAnswered(await connectBrowser())
    await gone
    await beAnswered(browser)
  },
)

const isOpen = (socket: Socket) => !socket.closed && !socket.destroyed

test('a session has so many connections, and no more', async () => {
  await beAnswered(browser)
  for (let i = 1; i < 8; i++) await beAnswered(await connectBrowser())
  const ninth = await connectBrowser()
  ninth.write(framed(bindingRequest))
  await closed(ninth)
  await beAnswered(await connectBrowser(), stunRequest('bob-2:browser'))
})

test.each([{ maxConnections: 6 }, { maxPerAddress: 6 }])(
  'with %o the account whose sessions have most connections makes room, but for those that carry media',
  async (limits) => {
    await openRelay({ limits })
    await beAnswered(browser, stunRequest('mallory-1:browser'), media)
    const idle = []
    for (let session = 2; session <= 6; session++) {
      const socket = await connectBrowser()
      idle.push(socket)
      await beAnswered(socket, stunRequest(`mallory-${session}:browser`))
    }
    const gone = closed(idle[0]!)
    const bob = await connectBrowser()
    await beAnswered(bob, stunRequest('bob-1:browser'))
    await gone
    await beAnswered(await connectBrowser(), stunRequest('mallory-7:browser'))
    await closed(idle[1]!)
    expect([bob, browser, ...idle].map(isOpen)).toEqual([true, true, false, false, true, true, true])
  },
)

test('one connection of a session carries its media, and none when it is over', async () => {
  await openRelay({ limits: { maxConnections: 2 } })
  const request = stunRequest('mallory-1:browser')
  await beAnswered(browser, request, media)
  const second = await connectBrowser()
  await beAnswered(second, request, media)
  const third = await connectBrowser()
  await closed(browser)
  await beAnswered(third, request)
  relay.endSession('mallory-1')
  await connectBrowser()
  await closed(second)
})
