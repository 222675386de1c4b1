/**
 * Somebody behind the same proxy or uplink, here at the same address, shows wrong keys, wrong Digest answers and wrong
 * sign-in codes until nobody else gets in; and hundreds of them at once, so that the service is busy with strangers.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { announcement } from '../builders/h264-rtp.ts'
import { connectRtsp } from '../support/rtsp-client.ts'

let service: AttackedService
beforeAll(async () => void (service = await startAttacked()))
afterAll(() => service.installation.remove())

interface Answer {
  readonly status: number
  readonly retryAfter: number
  readonly tookMs: number
}

async function login(key: string): Promise<Answer> {
  const startedAt = performance.now()
  const { status, headers } = await service.call('GET', '/login', { key })
  return { status, retryAfter: Number(headers.get('retry-after')), tookMs: performance.now() - startedAt }
}

/** So many wrong keys that the address has no tries left. Answers those that were refused for that. */
async function guessKeys(count: number): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => login(`guess-${i}`)))
  return answers.filter(({ status }) => status === 429)
}

const sum = (text: string) => createHash('md5').update(text).digest('hex')

/** Announces a stream by Digest (RFC 2617 §3.2.2), as cameras do; answers the status. */
async function announce(username: string, password: string, path: string): Promise<number> {
  const url = service.rtspUrl(path)
  const client = await connectRtsp(Number(service.ready['rtsp_port']))
  try {
    const headers = { 'Content-Type': 'application/sdp' }
    const challenge =
      (await client.request('ANNOUNCE', url, headers, announcement)).headers.get('www-authenticate') ?? ''
    const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const response = sum(`${sum(`${username}:aerie:${password}`)}:${nonce}:${sum(`ANNOUNCE:${url}`)}`)
    const fields = { username, realm: 'aerie', nonce, uri: url, response }
    const Authorization = `Digest ${Object.entries(fields)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}`
    return (await client.request('ANNOUNCE', url, { ...headers, Authorization }, announcement)).status
  } finally {
    client.close()
  }
}

const signIn = async (code: string) => {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${service.url}/session`, { method: 'POST', headers, body: JSON.stringify({ code }) })).status
}

test('who guesses too often is answered late, and told when to come back', async () => {
  const refused = await guessKeys(30)
  expect(refused.length).toBeGreaterThan(0)
  for (const { tookMs, retryAfter } of refused) {
    expect(tookMs).toBeGreaterThan(1_900)
    expect(retryAfter).toBeGreaterThanOrEqual(1)
  }
})

test('a right Digest answer passes, whatever others at its address have answered', async () => {
  for (let i = 0; i < 24; i += 4) {
    const wrong = await Promise.all([1, 2, 3, 4].map(() => announce('bob', 'wrong', 'bob/cam')))
    for (const status of wrong) expect(status).toBeOneOf([401, 503])
  }
  expect(await announce('bob', service.bob, 'bob/cam')).toBe(200)
})

test('a right key passes that nobody has shown since the start', async () => {
  const key = await createChild(service, 'newcomer')
  expect(await guessKeys(30)).not.toEqual([])
  expect(await login(key)).toMatchObject({ status: 200 })
})

test('a right sign-in code passes', async () => {
  const made = await service.call('POST', '/session/code')
  const { code } = (await made.json()) as { code: string }
  const guesses = await Promise.all(Array.from({ length: 30 }, (_, i) => signIn(`guess-${i}`)))
  expect(guesses).toContain(429)
  expect(await signIn(code)).toBe(201)
})

test('hundreds of guesses at once get their answers, and whoever has a key does not wait for them', async () => {
  let answered = 0
  const guesses = Array.from({ length: 400 }, (_, i) => login(`flood-${i}`).finally(() => answered++))
  expect(await login(service.mallory)).toMatchObject({ status: 200 })
  expect(answered).toBeLessThan(guesses.length)
  const refused = (await Promise.all(guesses)).filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(300)
})
