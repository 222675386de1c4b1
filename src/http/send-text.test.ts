import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { sendText, takesGzip } from './send-text.ts'

test.each([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['*', true],
  ['identity', false],
  ['gzip;q=0, br', false],
  ['gzip; q=0.000', false],
  ['', false],
])('a client that accepts "%s" takes gzip: %s', (accepted, takes) => expect(takesGzip(accepted)).toBe(takes))

test('a long text is packed for those who take it; a short one for nobody', async () => {
  const app = fastify()
  const long = 'a line of a playlist\n'.repeat(1_000)
  app.get('/long', (request, reply) => sendText(request, reply, 'text/plain', long))
  app.get('/short', (request, reply) => sendText(request, reply, 'text/plain', 'short'))
  const packed = await app.inject({ url: '/long', headers: { 'accept-encoding': 'gzip, deflate' } })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(long)
  expect(packed.rawPayload.length).toBeLessThan(long.length / 20)
  const plain = await app.inject({ url: '/long' })
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, long])
  const short = await app.inject({ url: '/short', headers: { 'accept-encoding': 'gzip' } })
  expect([short.headers['content-encoding'], short.body]).toEqual([undefined, 'short'])
  await app.close()
})
