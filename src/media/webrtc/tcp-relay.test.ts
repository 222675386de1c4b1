import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameSplitter, openTcpRelay, type TcpRelay, type TcpRelayOptions } from './tcp-relay.ts'

const framed = (...frames: Buffer[]) =>
  Buffer.concat(frames.flatMap((frame) => [Buffer.from([frame.length >> 8, frame.length & 0xff]), frame]))

test('frames are the same wherever the bytes were split', () => {
  const frames = [Buffer.from('one'), Buffer.alloc(300, 2), Buffer.from('three')]
  const bytes = framed(...frames)
  for (let at = 0; at <= bytes.length; at++) {
    const splitter = createFrameSplitter()
    expect([...splitter.push(bytes.subarray(0, at))!, ...splitter.push(bytes.subarray(at))!]).toEqual(frames)
  }
})

test('an empty frame is none, and one that is too long ends everything', () => {
  expect(createFrameSplitter().push(Buffer.from([0, 0, 0, 1, 7]))).toEqual([Buffer.from([7])])
  expect(createFrameSplitter().push(Buffer.from([0x40, 0]))).toBeUndefined()
})

let library: UdpSocket
let relay: TcpRelay
let browser: Socket
const browsers: Socket[] = []

async function openRelay(limits: Pick<TcpRelayOptions, 'limits' | 'silentMs'>): Promise<void> {
  await relay?.close()
  const udpPort = library.address().port
  relay = await openTcpRelay({ host: '127.0.0.1', port: 0, udpAddress: '127.0.0.1', udpPort, ...limits })
  browser = await connectBrowser()
}

async function connectBrowser(): Promise<Socket> {
  const socket = connect(relay.port, '127.0.0.1')
  socket.on('error', () => {})
  browsers.push(socket)
  await once(socket, 'connect')
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

const bindingRequest = Buffer.alloc(20)
bindingRequest.writeUInt16BE(1)
bindingRequest.writeUInt32BE(0x2112a442, 4)

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

test.each([
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a frame that is not ICE', framed(Buffer.alloc(30, 9))],
])('%s is hung up on', async (_name, bytes) => {
  browser.write(bytes)
  await once(browser, 'close')
})

/** Sends for as long as it is let. */
function nag(socket: Socket): void {
  const timer = setInterval(() => socket.write(framed(bindingRequest)), 5)
  socket.once('close', () => clearInterval(timer))
}

/** The library knows this browser, and answers it. */
async function beAnswered(socket: Socket): Promise<void> {
  socket.write(framed(bindingRequest))
  const [, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  library.send('answer', from.port, '127.0.0.1')
  await once(socket, 'data')
}

test('whom the library does not answer has its time, and nothing that it sends extends it', async () => {
  await openRelay({ limits: { setupMs: 100 } })
  nag(browser)
  await once(browser, 'close')
})

test('an answer of anybody else is none', async () => {
  await openRelay({ limits: { setupMs: 200 } })
  browser.write(framed(bindingRequest))
  const [, from] = (await once(library, 'message')) as [Buffer, { port: number }]
  const received: Buffer[] = []
  browser.on('data', (chunk: Buffer) => received.push(chunk))
  const stranger = createSocket('udp4')
  stranger.send('answer', from.port, '127.0.0.1')
  await once(browser, 'close')
  stranger.close()
  expect(received).toEqual([])
})

test('whom the library answers no more goes too, whatever it sends', async () => {
  await openRelay({ limits: { setupMs: 60_000 }, silentMs: 100 })
  await beAnswered(browser)
  nag(browser)
  await once(browser, 'close')
})

test.each([{ maxConnections: 2 }, { maxPerAddress: 2 }, { maxPendingPerAddress: 1 }])(
  'with %o a newcomer takes the place of the oldest that is not answered, never of one that is',
  async (limits) => {
    await openRelay({ limits })
    await beAnswered(browser)
    const unknown = await connectBrowser()
    unknown.write(framed(bindingRequest))
    await once(library, 'message')
    const gone = once(unknown, 'close')
    await beAnswered(await connectBrowser())
    await gone
    await beAnswered(browser)
  },
)
