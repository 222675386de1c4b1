/**
 * Addresses that users register hold secrets of theirs under many names; only five of those names were masked, so that
 * `?access_token=`, `?sig=` and `?key=` stood in listings, errors and logs for all who may read those.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'

const SECRET = 's3cret-of-bobs'
const query = [
  ...['access_token', 'api_key', 'apikey', 'auth', 'code', 'key', 'pass', 'passphrase', 'pwd', 'refresh_token', 'sig'],
  ...['signature', 'secret', 'streamkey', 'token', 'Token', 'X-Amz-Signature', 'X-Amz-Credential', 'access%5Ftoken'],
]
  .map((name) => `${name}=${SECRET}`)
  .join('&')

let service: AttackedService
beforeAll(async () => void (service = await startAttacked({ AERIE_LOG_LEVEL: 'trace' })))
afterAll(() => service?.installation.remove())

async function answerOf(method: string, path: string, body?: unknown): Promise<string> {
  return (await service.call(method, path, { key: service.bob, body })).text()
}

test('what is registered is shown and logged without them', async () => {
  const stream = { alias: 'cam', input_url: `rtsp://bob:${SECRET}@192.0.2.7/live?${query}`, stream_type: 'rtsp' }
  const answers = [
    await answerOf('POST', '/stream', stream),
    await answerOf('POST', '/stream', { ...stream, alias: undefined }),
    await answerOf('GET', '/sources'),
    await answerOf('POST', '/output', { alias: 'push', type: 'rtmp', url: `rtmp://192.0.2.7/live/cam?${query}` }),
    await answerOf('GET', '/outputs'),
    await answerOf('POST', '/alert', {
      alias: 'gate',
      type: 'filter-search',
      output: [{ type: 'webhook', config: { url: `http://192.0.2.7/hook?${query}` } }],
    }),
    await answerOf('GET', '/alerts'),
    await answerOf('GET', `/nowhere?${query}`),
  ]
  expect(answers.filter((text) => text.includes('192.0.2.7')).length).toBeGreaterThanOrEqual(6)
  for (const text of [...answers, service.stderr()]) expect(text).not.toContain(SECRET)
})
