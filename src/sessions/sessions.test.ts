import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, MASTER_KEY, type TestApp } from '../../test/support/app.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { RECHECK_MS } from '../core/standing-rights.ts'

let app: TestApp
let clock: FakeClock
beforeEach(async () => {
  clock = createFakeClock(Date.now())
  app = await createTestApp({}, clock)
})
afterEach(() => app.remove())

const ours = { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

async function signIn(body: object = { api_key: MASTER_KEY }) {
  const answer = await app.call('POST', '/session', { key: '', body, headers: ours })
  const header = String(answer.headers['set-cookie'] ?? '')
  return { answer, header, cookie: header.split(';')[0]! }
}
const asPage = (method: string, path: string, cookie: string, headers: Record<string, string> = ours, body?: unknown) =>
  app.call(method, path, { key: '', headers: { ...headers, cookie }, ...(body !== undefined && { body }) })

test('a key opens a session whose cookie no script can read, and which other sites cannot use', async () => {
  const { answer, header, cookie } = await signIn()
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ username: 'admin', is_master: true })
  expect(header).toMatch(/^aerie_session_8080=se_[\w-]{32}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
  expect((await asPage('GET', '/session', cookie)).body).toEqual({ username: 'admin', is_master: true })
  expect((await asPage('POST', '/keys', cookie, ours, { username: 'pilot' })).status).toBe(201)
})

test('another service on the same host, at another port, has a session of its own', async () => {
  const { cookie } = await signIn()
  const there = { ...ours, host: 'localhost:9090', origin: 'http://localhost:9090' }
  expect((await asPage('GET', '/session', cookie, there)).body.code).toBe('api-key-missing')
  const both = `aerie_session_9090=se_other; ${cookie}; aerie_session=se_third`
  expect((await asPage('GET', '/session', both)).status).toBe(200)
})

test('behind TLS the cookie goes over TLS only', async () => {
  const secure = await createTestApp({ AERIE_PUBLIC_URL: 'https://aerie.example.org' })
  const headers = { origin: 'https://aerie.example.org' }
  const answer = await secure.call('POST', '/session', { key: '', body: { api_key: MASTER_KEY }, headers })
  expect(answer.headers['set-cookie']).toMatch(/^aerie_session=se_.*; Secure$/)
  await secure.remove()
})

test('a browser that signs out, or waits for a week, is asked to sign in again', async () => {
  const first = await signIn()
  const second = await signIn()
  expect((await asPage('DELETE', '/session', first.cookie)).headers['set-cookie']).toContain('Max-Age=0')
  expect((await asPage('GET', '/session', first.cookie)).body).toMatchObject({ status: 403, code: 'session-ended' })
  expect((await asPage('GET', '/session', second.cookie)).status).toBe(200)
  await clock.advance(7 * 86_400_000)
  expect((await asPage('GET', '/session', second.cookie)).body.code).toBe('session-ended')
})

test('a session ends with its key: revoked, replaced or expired', async () => {
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const create = async (username: string) =>
    (await app.call('POST', '/keys', { body: { username, expiration_date: today } })).body.key as string
  for (const username of ['revoked', 'replaced', 'expired']) {
    const { cookie } = await signIn({ api_key: await create(username) })
    expect((await asPage('GET', '/session', cookie)).status).toBe(200)
    if (username === 'revoked') await app.call('DELETE', `/keys/${username}`)
    if (username === 'replaced') await app.call('POST', `/keys/${username}/rotate`)
    if (username === 'expired') await clock.advance(86_400_000)
    const { body } = await asPage('GET', '/session', cookie)
    expect([username, body.code]).toEqual([username, username === 'expired' ? 'api-key-expired' : 'session-ended'])
  }
})

test.each([
  ['another site', { ...ours, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'DELETE'],
  [
    'another port of the same site',
    { ...ours, origin: 'http://localhost:8081', 'sec-fetch-site': 'same-site' },
    'DELETE',
  ],
  [
    'another origin, from a browser that says no more',
    { host: 'localhost:8080', origin: 'http://evil.example' },
    'POST',
  ],
  ['nobody says where', { host: 'localhost:8080' }, 'POST'],
  ['an origin that is none', { host: 'localhost:8080', origin: 'null' }, 'POST'],
  ['a link typed in does not change things', { host: 'localhost:8080', 'sec-fetch-site': 'none' }, 'DELETE'],
  ['a picture on another page', { host: 'localhost:8080', 'sec-fetch-site': 'same-site' }, 'GET'],
  [
    'a websocket of another page',
    { host: 'localhost:8080', origin: 'http://evil.example', upgrade: 'websocket' },
    'GET',
  ],
  ['a websocket of nobody', { host: 'localhost:8080', upgrade: 'websocket' }, 'GET'],
])('the cookie does not count from %s', async (_name, headers, method) => {
  const { cookie } = await signIn()
  const answer = await asPage(method, method === 'POST' ? '/process/stop_all' : '/processes', cookie, headers)
  expect(answer.body).toMatchObject({ status: 403, code: 'cross-origin-request' })
})

test('with a key beside it, the cookie is not looked at', async () => {
  const { cookie } = await signIn()
  const headers = { cookie, origin: 'https://evil.example' }
  expect((await app.call('GET', '/session', { headers })).status).toBe(200)
})

test('other pages cannot sign a visitor in', async () => {
  const headers = { host: 'localhost:8080', origin: 'https://evil.example' }
  const answer = await app.call('POST', '/session', { key: '', body: { api_key: MASTER_KEY }, headers })
  expect(answer.body.code).toBe('cross-origin-request')
})

test('wrong keys are refused and slowed down, and a session is not a key', async () => {
  const { cookie } = await signIn()
  const secret = cookie.split('=')[1]!
  expect((await signIn({ api_key: secret })).answer.body.code).toBe('api-key-invalid')
  for (let i = 0; i < 20; i++) expect((await signIn({ api_key: `wrong-${i}` })).answer.status).toBe(403)
  const slowed = clock.nextSleep()
  const slow = signIn({ api_key: 'wrong' })
  await slowed
  expect((await signIn()).answer.status).toBe(201)
  await clock.advance(2_000)
  expect((await slow).answer.body.code).toBe('too-many-attempts')
})

test('a revoked key does not keep its events by failing so often that it has to wait', async () => {
  app.http.get('/endless', { config: { isStream: true } }, (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).flushHeaders()
  })
  const { key } = (await app.call('POST', '/keys', { body: { username: 'pilot' } })).body
  const host = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await fetch(`${host}/endless`, { headers: { api_key: key } })
  const ended = new Response(body).text().catch(() => 'let go')
  await app.call('DELETE', '/keys/pilot')
  for (let i = 0; i < 20; i++) expect((await app.call('GET', '/session', { key })).status).toBe(403)
  const slowed = clock.nextSleep()
  const slow = app.call('GET', '/session', { key })
  await slowed
  await clock.advance(2_000)
  expect((await slow).status).toBe(429)
  await clock.advance(RECHECK_MS)
  expect(await ended).toBe('let go')
})

test('a code signs in once, within a quarter of an hour, and guessing is slowed down', async () => {
  const { body } = await app.call('POST', '/session/code')
  expect(body.url).toMatch(/\/#\/sign-in\?code=[\w-]{24}$/)
  expect((await signIn({ code: body.code })).answer.body).toMatchObject({ username: 'admin' })
  expect((await signIn({ code: body.code })).answer.body.code).toBe('sign-in-code-invalid')

  const { cookie } = await signIn()
  const late = (await asPage('POST', '/session/code', cookie)).body.code as string
  await clock.advance(15 * 60_000)
  expect((await signIn({ code: late })).answer.body.code).toBe('sign-in-code-invalid')
  const right = (await asPage('POST', '/session/code', cookie)).body.code as string
  const slowed = clock.nextSleep()
  const guesses = Array.from({ length: 21 }, (_, i) => signIn({ code: `guess-${i}` }))
  await slowed
  expect((await signIn({ code: right })).answer.status).toBe(201)
  await clock.advance(2_000)
  const codes = (await Promise.all(guesses)).map(({ answer }) => answer.body.code as string)
  expect(new Set(codes)).toEqual(new Set(['sign-in-code-invalid', 'too-many-attempts']))
})

test('a key has at most fifty sessions; the oldest goes', async () => {
  const first = await signIn()
  await clock.advance(1)
  for (let i = 0; i < 50; i++) await signIn()
  expect((await asPage('GET', '/session', first.cookie)).body.code).toBe('session-ended')
})

test.each([{}, { api_key: 'a', code: 'b' }, { api_key: 1 }, { user: 'x' }])(
  'what is not one key or one code is refused: %j',
  async (body) => expect((await signIn(body)).answer.status).toBe(422),
)

test('no secret of a session is in the log or in the addresses of answers', async () => {
  const { cookie } = await signIn()
  await asPage('GET', '/sources', cookie)
  expect(app.logLines.join('\n')).not.toContain(cookie.split('=')[1]!)
})
