import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { json, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { callHttps } from '../../test/support/https-call.ts'
import { asAnn, bytesOf, createTwoNodes, hashOf, type TwoNodes } from '../../test/support/two-nodes.ts'
import { until } from '../../test/support/until.ts'

const MEGABYTES_10 = 10 * 1024 * 1024
let nodes: TwoNodes

/** As `fetch`, where that is too polite: any header, and a body that is written piece by piece. */
function send(path: string, options: RequestOptions = {}) {
  const sent = httpRequest(nodes.url(path), { agent: false, ...options, headers: { ...asAnn, ...options.headers } })
  sent.on('error', () => {})
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage)
  // Who leaves is not answered.
  answer.catch(() => {})
  return { sent, answer }
}

describe('a request about what another node has', () => {
  beforeAll(async () => void (nodes = await createTwoNodes()))
  afterAll(() => nodes.remove())
  afterEach(() => nodes.allLeft())

  test('is answered by that node, as if the client had called it', async () => {
    const { response, body } = await nodes.call('/process/on-b?x=%2F1', { headers: { 'x-mine': 'yes' } })
    expect(body).toMatchObject({
      node: 'b',
      ip: '127.0.0.1',
      username: 'key-of-ann',
      // The address by which the client has called, or its URLs would be of no use to it.
      baseUrl: `http://127.0.0.1:${nodes.a.port}`,
      url: '/process/on-b?x=%2F1',
      headers: { 'x-mine': 'yes' },
    })
    expect(response.headers.getSetCookie()).toEqual(['one=1', 'two=2'])
    // Not one of each node.
    expect(response.headers.get('x-request-id')).not.toContain(',')
  })

  test.each(['/process/on-a', '/here'])('%s, which is here, stays here', async (path) => {
    expect((await nodes.call(path)).body.node).toBe('a')
  })

  test.each(['POST', 'DELETE'])('%s with a body', async (method) => {
    const sent = { words: ['hällo', 'wörld'] }
    const init = { method, body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
    expect((await nodes.call('/process/on-b', init)).body).toEqual({ node: 'b', body: sent })
  })

  test('a body in chunks, of a DELETE too', async () => {
    const { sent, answer } = send('/process/on-b', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    })
    sent.useChunkedEncodingByDefault = true
    sent.write('{"in":')
    sent.end('"chunks"}')
    expect(await json(await answer)).toEqual({ node: 'b', body: { in: 'chunks' } })
  })

  test('its errors are those of that node', async () => {
    const { response, status, body } = await nodes.call('/process/on-b/missing')
    expect([status, body.code]).toEqual([404, 'process-not-found'])
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    const malformed = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
    expect((await nodes.call('/process/on-b', malformed)).body.code).toBe('json-unparsable')
  })

  test('who shows no key goes no further than here', async () => {
    const logged = nodes.b.lines.length
    const { status } = await nodes.call('/process/on-b', { headers: { api_key: 'nobody' } })
    expect(status).toBe(403)
    expect(nodes.b.lines).toHaveLength(logged)
  })

  test('HEAD has no body, and the length that it would have', async () => {
    const { sent, answer } = send('/process/on-b/download?size=1234', { method: 'HEAD' })
    sent.end()
    const response = await answer
    expect(response.headers['content-length']).toBe('1234')
    expect(await text(response)).toBe('')
  })

  test('10 MB up', async () => {
    const { sent, answer } = send('/process/on-b/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
    })
    Readable.from(bytesOf(MEGABYTES_10)).pipe(sent)
    expect(await json(await answer)).toEqual({ node: 'b', hash: hashOf(MEGABYTES_10) })
  })

  test('10 MB down', async () => {
    const response = await fetch(nodes.url(`/process/on-b/download?size=${MEGABYTES_10}`), { headers: asAnn })
    expect(response.headers.get('content-type')).toBe('video/mp4')
    const body = Buffer.from(await response.arrayBuffer())
    expect(body.equals(Buffer.concat([...bytesOf(MEGABYTES_10)]))).toBe(true)
  })

  test('an upload that is refused is told so, without being read to its end', async () => {
    const { sent, answer } = send('/process/on-b/refused-upload', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': 10 ** 10 },
    })
    const closed = new Promise((resolve) => sent.once('close', resolve))
    const body = Readable.from(bytesOf(10 ** 10))
    body.pipe(sent)
    const response = await answer
    expect(await json(response)).toMatchObject({ code: 'disk-full' })
    expect(response.headers.connection).toBe('close')
    await closed
    body.destroy()
  })

  test('events come one by one, and end', async () => {
    const response = await fetch(nodes.url('/process/on-b/events'), { headers: asAnn })
    expect(await response.text()).toBe([0, 1, 2, 3, 4].map((count) => `data: ${count}\n\n`).join(''))
  })

  test('a stream that says nothing yet has begun for its client, who can leave it', async () => {
    const leaving = new AbortController()
    const response = await fetch(nodes.url('/process/on-b/silence'), { headers: asAnn, signal: leaving.signal })
    expect(response.status).toBe(200)
    expect(nodes.b.clients.size).toBe(1)
    leaving.abort()
    await nodes.allLeft()
  })

  test('a client that leaves in the middle of an upload leaves there too', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': 1_000_000 }
    const { sent } = send('/process/on-b/upload', { method: 'POST', headers })
    sent.write('the beginning')
    await until(async () => nodes.b.clients.size === 1)
    sent.destroy()
    await nodes.allLeft()
  })

  test('200 at once are answered, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => nodes.call(`/process/on-b?number=${i}`)))
    expect(answers.map(({ body }) => body.url)).toEqual(answers.map((_, i) => `/process/on-b?number=${i}`))
  })

  test('requests of one connection are answered in their order, wherever', async () => {
    const socket = connect(nodes.a.port, '127.0.0.1')
    const ask = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\napi_key: key-of-ann\r\n${more}\r\n`
    socket.write(ask('/process/on-b') + ask('/here') + ask('/process/on-b', 'Connection: close\r\n'))
    const answers = await text(socket)
    expect([...answers.matchAll(/"node":"(.)"/g)].map(([, node]) => node)).toEqual(['b', 'a', 'b'])
  })

  test('a reader that reads nothing does not fill our memory', async () => {
    const size = 200 * 1024 * 1024
    const before = process.memoryUsage().arrayBuffers
    const { sent, answer } = send(`/process/on-b/download?size=${size}`)
    sent.end()
    const response = await answer
    response.pause()
    let last = -1
    // Until nothing moves any more.
    await until(async () => {
      const isStill = process.memoryUsage().arrayBuffers === last
      last = process.memoryUsage().arrayBuffers
      return isStill
    })
    // Both nodes and the client are in this process: a window, and what sockets and streams hold.
    expect(last - before).toBeLessThan(30 * 1024 * 1024)
    sent.destroy()
  })
})

describe('who is believed', () => {
  afterEach(() => nodes.remove())

  test('headers of a client that pretends to be another node change nothing', async () => {
    nodes = await createTwoNodes()
    const headers = { 'aerie-hop': '1', 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https' }
    const { body } = await nodes.call('/process/on-b', { headers })
    expect(body).toMatchObject({ node: 'b', ip: '127.0.0.1', baseUrl: `http://127.0.0.1:${nodes.a.port}` })
    expect(body.headers).not.toHaveProperty('x-forwarded-for')
  })

  test('a proxy that is trusted here says there too who the client is', async () => {
    nodes = await createTwoNodes({ trustProxy: ['127.0.0.1'] })
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'localhost:1',
    }
    const { body } = await nodes.call('/process/on-b', { headers })
    expect(body).toMatchObject({ node: 'b', ip: '203.0.113.7', baseUrl: 'https://localhost:1' })
  })

  test('what has gone from one node to another goes to no third one', async () => {
    nodes = await createTwoNodes({ nodeOfAtB: () => 'a' })
    const { response, status, body } = await nodes.call('/process/on-b')
    expect([status, body.code]).toEqual([503, 'node-changing'])
    expect(response.headers.get('retry-after')).toBe('2')
  })

  test('HTTPS outside is HTTPS for the URLs in answers', async () => {
    const { cert, key: privateKey } = createSelfSigned()
    const certificate = { current: { cert, key: privateKey }, onChange: () => {}, close: () => {} }
    nodes = await createTwoNodes({ certificate })
    const call = await callHttps(`https://localhost:${nodes.a.port}/process/on-b`, { method: 'GET', headers: asAnn })
    expect(await call.json()).toMatchObject({ node: 'b', baseUrl: `https://localhost:${nodes.a.port}` })
  })
})
