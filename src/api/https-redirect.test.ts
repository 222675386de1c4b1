import { expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { createHttpsRedirect } from './https-redirect.ts'

const certificate = { current: createSelfSigned('video.example.org'), onChange: () => {} }

function redirect({ httpsPort = 8080, publicUrl }: { httpsPort?: number; publicUrl?: string } = {}) {
  const options = { host: '0.0.0.0', hosts: ['cam-server'], publicUrl, certificate }
  const app = createHttpsRedirect({ options, httpsPort: () => httpsPort, log: { warn: () => {} } })
  return (method: string, url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: method as 'GET', url, headers: { host: 'localhost:8000', ...headers } })
}

test.each([
  ['the port of HTTPS is named', {}, '/docs?x=1&y=%20', 'localhost', 'https://localhost:8080/docs?x=1&y=%20'],
  ['the usual one is not', { httpsPort: 443 }, '/', 'cam-server:80', 'https://cam-server/'],
  ['the host of the certificate', {}, '/', 'Video.Example.org', 'https://video.example.org:8080/'],
  ['an address', {}, '/a', '[::1]:80', 'https://[::1]:8080/a'],
  ['the public address', { publicUrl: 'https://a.example' }, '/docs', 'localhost', 'https://a.example/docs'],
  [
    'one that is not encrypted leads nowhere',
    { publicUrl: 'http://a.example' },
    '/',
    'localhost',
    'https://localhost:8080/',
  ],
  ['two slashes are a path', {}, '//evil.example/x', 'localhost', 'https://localhost:8080//evil.example/x'],
])('%s', async (_name, options, url, host, location) => {
  for (const method of ['GET', 'HEAD']) {
    const { statusCode, headers } = await redirect(options)(method, url, { host })
    expect([statusCode, headers.location, headers.connection]).toEqual([308, location, 'close'])
  }
})

test.each([
  ['a key in a header', 'GET', '/status', { api_key: 'ak_secret' }],
  ['a bearer', 'GET', '/status', { authorization: 'Bearer ak_secret' }],
  ['a key in the address', 'GET', '/status?api_key=ak_secret', {}],
  ['a token in the address', 'GET', '/hls/admin/cam/index.m3u8?token=tk_secret', {}],
  ['a question with a body', 'GET', '/status', { 'content-length': '6' }],
  ['what is sent', 'POST', '/login', {}],
  ['what is removed', 'DELETE', '/processes', {}],
])('%s is refused, and not repeated', async (_name, method, url, headers) => {
  const answer = await redirect()(method, url, headers)
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({
    code: 'https-required',
    detail: expect.stringContaining('https://localhost:8080 '),
  })
  expect(answer.headers.location).toBeUndefined()
  expect(answer.body + JSON.stringify(answer.headers)).not.toContain('secret')
})

test.each([
  ['a host of others', 'evil.example', 421],
  ['no host name at all', 'localhost@evil.example', 400],
])('%s is not redirected to', async (_name, host, status) => {
  const { statusCode, headers } = await redirect()('GET', '/', { host })
  expect([statusCode, headers.location]).toEqual([status, undefined])
})
