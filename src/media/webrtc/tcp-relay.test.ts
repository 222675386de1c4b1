import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameSplitter, openTcpRelay, type TcpRelay } from './tcp-relay.ts'

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

beforeEach(async () => {
  library = createSocket('udp4').bind(0, '127.0.0.1')
  await once(library, 'listening')
  const options = { host: '127.0.0.1', port: 0, udpAddress: '127.0.0.1', udpPort: library.address().port }
  relay = await openTcpRelay(options)
  browser = connect(relay.port, '127.0.0.1')
  await once(browser, 'connect')
})
afterEach(async () => {
  browser.destroy()
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
  browser.on('error', () => {})
  browser.write(bytes)
  await once(browser, 'close')
})
