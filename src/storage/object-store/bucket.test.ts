import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/support/free-port.ts'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { systemClock } from '../../core/clock.ts'
import { createBucket } from './bucket.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-bucket-'))
const file = join(folder, 'clip.mp4')
const BYTES = Buffer.alloc(3_000_000, 'aerie ')
const VIDEO = { contentType: 'video/mp4' }
const signal = new AbortController().signal
let s3: S3Server
beforeAll(async () => {
  writeFileSync(file, BYTES)
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3.remove()
  rmSync(folder, { recursive: true })
})

describe('with a real store', () => {
  test('a file goes there below the prefix, and comes back whole or in ranges', async () => {
    const bucket = createBucket(s3.config({ prefix: 'north/' }), systemClock)
    expect(await bucket.put('recordings/a b/1.mp4', file, VIDEO)).toBe(BYTES.length)
    expect(s3.keys()).toEqual(['north/recordings/a b/1.mp4'])
    expect(await bucket.sizeOf('recordings/a b/1.mp4')).toBe(BYTES.length)
    const whole = await bucket.open('recordings/a b/1.mp4', { signal })
    expect(whole).toMatchObject({ status: 200, headers: { 'content-length': String(BYTES.length) } })
    expect(BYTES.equals(await buffer(whole.body))).toBe(true)
    const part = await bucket.open('recordings/a b/1.mp4', { range: 'bytes=100-199', signal })
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 100-199/${BYTES.length}` } })
    expect(await buffer(part.body)).toEqual(BYTES.subarray(100, 200))
    await expect(bucket.open('recordings/a b/1.mp4', { range: 'bytes=9000000-', signal })).rejects.toMatchObject({
      status: 416,
    })
    await bucket.remove('recordings/a b/1.mp4')
    await bucket.remove('recordings/a b/1.mp4')
    expect(s3.keys()).toEqual([])
    await expect(bucket.sizeOf('recordings/a b/1.mp4')).rejects.toThrow('has no recordings/a b/1.mp4 any more')
  })

  test('a link works without a key, and says how the file is called', async () => {
    const bucket = createBucket(s3.config(), systemClock)
    await bucket.put('clip.mp4', file, VIDEO)
    const link = await bucket.link('clip.mp4', { contentType: 'video/mp4', downloadName: 'front.mp4' })
    const response = await fetch(link, { headers: { range: 'bytes=0-9' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-disposition')).toBe('inline; filename="front.mp4"')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES.subarray(0, 10))
    expect((await fetch(link.replace(/Signature=.{8}/, 'Signature=00000000'))).status).toBe(403)
  })

  test('what is not to be had has a sentence', async () => {
    const nowhere = await freePort()
    const sentences = {
      'AERIE_OBJECT_STORE_SECRET is not the secret of this key': { secret: 'wrong' },
      'does not know AERIE_OBJECT_STORE_KEY': { accessKey: 'nobody' },
      'has no bucket missing; create it': { bucket: 'missing' },
      'cannot be reached: connect ECONNREFUSED': { origin: `http://127.0.0.1:${nowhere}` },
    }
    for (const [sentence, change] of Object.entries(sentences)) {
      const bucket = createBucket(s3.config(change), systemClock)
      await expect(bucket.open('clip.mp4', { signal })).rejects.toThrow(sentence)
      await expect(bucket.put('clip.mp4', file, VIDEO)).rejects.toThrow(sentence)
    }
  })
})

describe('with a store that is hostile', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  async function serve(listener: RequestListener, answerMs?: number) {
    server = createServer(listener).listen(0, '127.0.0.1')
    await new Promise((resolve) => server!.once('listening', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return createBucket(s3.config({ origin }), systemClock, answerMs)
  }

  const refusing = (status: number, code: string, headers: Record<string, string> = {}) =>
    serve((request, response) => {
      request.resume()
      request.on('end', () => {
        response.writeHead(status, headers).end(`<Error><Code>${code}</Code></Error>`)
      })
    })

  test.each([
    [507, 'InsufficientStorage', {}, /is full/],
    [403, 'QuotaExceeded', {}, /is full \(QuotaExceeded\)/],
    [403, 'AccessDenied', {}, /needs s3:PutObject, s3:GetObject and s3:DeleteObject on aerie\/\*/],
    [301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }, /set AERIE_OBJECT_STORE_REGION to eu-west-1/],
    [307, 'TemporaryRedirect', { location: 'http://169.254.169.254/' }, /in another region/],
    [400, 'KeyTooLong', {}, /answered 400 \(KeyTooLong\) about a\.mp4/],
    [503, 'SlowDown', {}, /answered 503 \(SlowDown\)/],
    [500, '', {}, /answered 500\./],
  ])('%s %s', async (status, code, headers, sentence) => {
    const bucket = await refusing(status, code, headers)
    await expect(bucket.put('a.mp4', file, VIDEO)).rejects.toThrow(sentence)
  })

  test('clocks that differ are said by how much', async () => {
    const date = new Date(Date.now() + 47 * 60_000).toUTCString()
    const bucket = await refusing(403, 'RequestTimeTooSkewed', { date })
    await expect(bucket.open('a.mp4', { signal })).rejects.toThrow(
      'its clock is 47 minutes ahead of ours; set the clock of this machine',
    )
  })

  test('what passes by itself is tried again at once', async () => {
    let asked = 0
    const bucket = await serve((_request, response) => {
      asked += 1
      response.writeHead(asked < 3 ? 503 : 204).end()
    })
    await bucket.remove('a.mp4')
    expect(asked).toBe(3)
  })

  test.each<[string, RequestListener, RegExp]>([
    [
      'takes a file and has none of it',
      (request, response) => {
        request.resume()
        if (request.method === 'PUT') request.on('end', () => response.end())
        else response.writeHead(200, { 'content-length': '12' }).end()
      },
      /took 3000000 bytes of a\.mp4, but has 12 of them/,
    ],
    [
      'has other bytes',
      (request, response) => {
        request.resume()
        request.on('end', () => response.writeHead(200, { etag: `"${'0'.repeat(32)}"` }).end())
      },
      /has other bytes of a\.mp4 than were sent/,
    ],
  ])('one that %s', async (_name, listener, sentence) => {
    const bucket = await serve(listener)
    await expect(bucket.put('a.mp4', file, VIDEO)).rejects.toThrow(sentence)
  })

  test.each<[string, RequestListener, RegExp]>([
    [
      'hangs up in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('half', () => response.destroy())
      },
      /cannot be reached|in the middle/,
    ],
    [
      'does not say how long it is',
      (_request, response) => {
        response.writeHead(200)
        response.end('half')
      },
      /does not say how long a\.mp4 is/,
    ],
  ])('an answer that %s is no file', async (_name, listener, sentence) => {
    const bucket = await serve(listener)
    const read = async () => buffer((await bucket.open('a.mp4', { signal })).body)
    await expect(read()).rejects.toThrow(sentence)
  })

  test('an error without an end is not read for ever', async () => {
    let written = 0
    const bucket = await serve((_request, response) => {
      response.writeHead(400)
      const more = () => {
        written += 1
        if (!response.destroyed) response.write('x'.repeat(1024), () => setImmediate(more))
      }
      more()
    })
    await expect(bucket.open('a.mp4', { signal })).rejects.toThrow('answered 400 about a.mp4')
    expect(written).toBeLessThan(10_000)
  })

  test('one that answers nothing is given up, and so is what nobody waits for', async () => {
    const bucket = await serve(() => {}, 100)
    const leaving = new AbortController()
    const opening = bucket.open('a.mp4', { signal: leaving.signal })
    setImmediate(() => leaving.abort())
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' })
    await expect(bucket.sizeOf('a.mp4')).rejects.toThrow('did not answer within 0.1 s')
  })

  test('a body that a reader drops is not fetched on', async () => {
    let isClosed: Promise<unknown> = Promise.resolve()
    const bucket = await serve((_request, response) => {
      isClosed = new Promise((resolve) => response.once('close', resolve))
      response.writeHead(200, { 'content-length': '1000000' })
      response.write('begun')
    })
    const { body } = await bucket.open('a.mp4', { signal })
    body.destroy()
    await isClosed
  })
})
