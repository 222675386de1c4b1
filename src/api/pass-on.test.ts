import { once } from 'node:events'
import { type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { asAnn, createTwoNodes, type TwoNodes } from '../../test/support/two-nodes.ts'
import { until } from '../../test/support/until.ts'

let nodes: TwoNodes

describe('a websocket at another node', () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => void warnings.push(message)
  beforeAll(async () => {
    process.on('warning', onWarning)
    nodes = await createTwoNodes()
  })
  afterAll(async () => {
    process.off('warning', onWarning)
    await nodes.remove()
  })
  afterEach(() => nodes.allLeft())

  function open(path = '/process/on-b/socket'): WebSocket {
    const socket = new WebSocket(nodes.url(path).replace('http', 'ws'), { headers: asAnn })
    socket.on('error', () => {})
    return socket
  }

  const next = async (socket: WebSocket) => ((await once(socket, 'message')) as [Buffer])[0].toString()

  test('speaks both ways, and closes with the code and words of its end', async () => {
    const socket = open()
    expect(await next(socket)).toBe('hello from b')
    const echoed = next(socket)
    socket.send('x'.repeat(60_000))
    expect(await echoed).toHaveLength(60_000)
    const closed = once(socket, 'close')
    socket.send('bye')
    const [code, reason] = (await closed) as [number, Buffer]
    expect([code, reason.toString()]).toEqual([4001, 'as you wish'])
    // As of too many listeners.
    expect(warnings).toEqual([])
  })

  test('closed by the client with a code', async () => {
    const socket = open()
    await next(socket)
    const closed = once(socket, 'close')
    socket.close(4002)
    expect((await closed)[0]).toBe(4002)
  })

  test('whose client just leaves is over there too', async () => {
    const socket = open()
    await next(socket)
    expect(nodes.b.clients.size).toBe(1)
    socket.terminate()
  })

  test('what is said right behind the handshake is heard', async () => {
    const socket = connect(nodes.a.port, '127.0.0.1')
    const head = [
      'GET /process/on-b/socket HTTP/1.1',
      'Host: localhost',
      'api_key: key-of-ann',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ].join('\r\n')
    // `bye`, masked by zeros.
    socket.write(
      Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from([0x81, 0x83, 0, 0, 0, 0]), Buffer.from('bye')]),
    )
    let answer = ''
    for await (const chunk of socket) if ((answer += String(chunk)).includes('as you wish')) break
    expect(answer).toMatch(/^HTTP\/1.1 101 .*hello from b/s)
  })

  test.each([
    ['one that is refused', '/process/on-b/socket?refuse=1', 409],
    ['one where there is none', '/process/on-b', 400],
  ])('%s is refused', async (_which, path, status) => {
    const socket = open(path)
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect(response.statusCode).toBe(status)
    socket.terminate()
  })
})

describe('trouble', () => {
  afterEach(() => nodes.remove())

  test('a node that is not there', async () => {
    nodes = await createTwoNodes()
    const { response, status, body } = await nodes.call('/process/on-nowhere')
    expect([status, body.code]).toEqual([503, 'node-unreachable'])
    expect(response.headers.get('retry-after')).toBe('2')
    const failed = nodes.a.lines.filter(({ level }) => Number(level) >= 50)
    expect(failed).toEqual([])
  })

  test('NATS dies: streams break within 10 s, new requests are refused at once, and all heals', async () => {
    nodes = await createTwoNodes()
    const events = await fetch(nodes.url('/process/on-b/silence'), { headers: asAnn })
    const socket = new WebSocket(nodes.url('/process/on-b/socket').replace('http', 'ws'), { headers: asAnn })
    socket.on('error', () => {})
    await once(socket, 'message')
    const startedAt = performance.now()
    const broken = Promise.all([events.text().catch(() => 'broken'), once(socket, 'close')])
    await nodes.nats.kill()
    await until(async () => !nodes.a.bus.isConnected)
    const { response, status, body } = await nodes.call('/process/on-b')
    expect([status, body.code, response.headers.get('retry-after')]).toEqual([503, 'node-unreachable', '2'])
    // What is here is none of its business.
    expect((await nodes.call('/process/on-a')).status).toBe(200)

    const [eventsEnd, [code]] = await broken
    expect(eventsEnd).toBe('broken')
    expect(code).toBe(1006)
    expect(performance.now() - startedAt).toBeLessThan(10_500)
    await until(async () => nodes.b.clients.size === 0)

    await nodes.nats.start()
    await until(async () => (await nodes.call('/process/on-b')).status === 200)
  })

  test('a node that stops answers what is under way', async () => {
    nodes = await createTwoNodes()
    const response = await fetch(nodes.url('/process/on-b/download?size=1000000'), { headers: asAnn })
    const closed = nodes.b.close()
    expect((await response.arrayBuffer()).byteLength).toBe(1_000_000)
    await closed
    const { status, body } = await nodes.call('/process/on-b')
    expect([status, body.code]).toEqual([503, 'node-unreachable'])
  })
})
