import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { paceStream } from './paced-stream.ts'

const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

async function openPaced(
  cut: (chunk: Buffer) => readonly Buffer[],
  serve: (socket: Socket) => void,
): Promise<{ stream: Duplex; other: () => Socket }> {
  let other!: Socket
  const server = createServer((socket) => {
    other = socket
    socket.on('error', () => {})
    releases.push(() => socket.destroy())
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  releases.push(() => new Promise((done) => server.close(done)))
  const stream = paceStream(connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }), cut)
  releases.push(() => stream.destroy())
  return { stream, other: () => other }
}

const inBytes = (chunk: Buffer) => Array.from(chunk, (_, at) => chunk.subarray(at, at + 1))

test('others have a turn between two pieces', async () => {
  const { stream } = await openPaced(inBytes, (socket) => socket.end('x'.repeat(200)))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  const turnsAt: number[] = []
  stream.on('data', () => turnsAt.push(turns))
  stream.once('data', turn)
  await once(stream, 'close')
  isOver = true
  expect(turnsAt).toHaveLength(200)
  expect(turnsAt.at(-1)).toBeGreaterThanOrEqual(198)
})

test('what came before the end is read, also where it is read slowly, and then it closes', async () => {
  const { stream } = await openPaced(inBytes, (socket) => socket.end('goodbye'))
  let text = ''
  for await (const chunk of stream) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    text += String(chunk)
  }
  expect(text).toBe('goodbye')
  expect(stream.destroyed).toBe(true)
})

test('what is written arrives in order', async () => {
  let heard = ''
  const { stream } = await openPaced(
    (chunk) => [chunk],
    (socket) => socket.on('data', (chunk) => (heard += chunk.toString())),
  )
  await once(stream, 'connect')
  stream.cork()
  for (const word of ['a', 'b', 'c']) stream.write(word)
  stream.uncork()
  await new Promise<void>((resolve) => void stream.write('d', () => resolve()))
  await expect.poll(() => heard).toBe('abcd')
})

test('a stream that is refused is destroyed, with the error', async () => {
  const refuse = () => {
    throw new Error('no')
  }
  const { stream, other } = await openPaced(refuse, (socket) => socket.write('x'))
  await expect(once(stream, 'data')).rejects.toThrow('no')
  await once(other(), 'close')
})

test('an address where nobody listens is an error', async () => {
  const { stream } = await openPaced(inBytes, () => {})
  stream.destroy()
  const nowhere = paceStream(connect({ port: 1, host: '127.0.0.1' }), inBytes)
  await expect(once(nowhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
