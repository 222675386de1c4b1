import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addUnreadBody } from './unread-body.ts'

let app: FastifyInstance
let port: number
/** Of the connection that ended last, in bytes. */
let received = 0
beforeAll(async () => {
  app = fastify()
  addUnreadBody(app)
  app.addHook('onRequest', async (_request, reply) => reply.code(413).send('It is too large.'))
  app.post('/', async () => 'never')
  await app.listen({ host: '127.0.0.1', port: 0 })
  app.server.on('connection', (socket) => socket.once('close', () => (received = socket.bytesRead)))
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

interface Sender {
  readonly socket: Socket
  readonly heard: () => string
  readonly closed: Promise<unknown>
}

function send(head: string): Sender {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (data) => (heard += data.toString()))
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`)
  return { socket, heard: () => heard, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

/** As fast as the line takes it, for as long as it is wanted. */
function pour({ socket }: Sender, isWanted: () => boolean): void {
  const piece = Buffer.alloc(256 * 1024)
  const more = () => {
    while (!socket.destroyed && isWanted() && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

test.each(['Content-Length: 10000000000', 'Transfer-Encoding: chunked'])(
  'who sends a large body (%s) and reads late gets the whole answer',
  async (length) => {
    const sender = send(length)
    if (length.startsWith('Transfer')) sender.socket.write('40000000\r\n')
    sender.socket.pause()
    pour(sender, () => sender.heard() === '')
    setTimeout(() => sender.socket.resume(), 800)
    await sender.closed
    expect(sender.heard()).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*It is too large\.$/i)
  },
)

test('who sends on without end is not read on', async () => {
  const sender = send('Content-Length: 10000000000')
  pour(sender, () => true)
  await sender.closed
  expect(received).toBeLessThan(20_000_000)
})

test('a small body is read, and its connection used again', async () => {
  const sender = send('Content-Length: 5')
  sender.socket.write('abcde')
  await expect.poll(sender.heard).toContain('It is too large.')
  sender.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
  await expect.poll(() => sender.heard().split('It is too large.').length).toBe(3)
})
