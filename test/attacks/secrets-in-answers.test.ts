/**
 * Addresses that users register hold secrets of theirs under many names; only five of those names were masked, so that
 * `?access_token=`, `?sig=` and `?key=` stood in listings, errors and logs for all who may read those.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { startFakeCamera } from '../support/fake-camera.ts'
import { until } from '../support/until.ts'

const SECRET = 's3cret-of-bobs'
const query = [
  ...['access_token', 'api_key', 'apikey', 'auth', 'code', 'key', 'pass', 'passphrase', 'pwd', 'refresh_token', 'sig'],
  ...['signature', 'secret', 'streamkey', 'token', 'Token', 'X-Amz-Signature', 'X-Amz-Credential', 'access%5Ftoken'],
]
  .map((name) => `${name}=${SECRET}`)
  .join('&')

let service: AttackedService
beforeAll(
  async () => void (service = await startAttacked({ AERIE_LOG_LEVEL: 'trace', AERIE_OUTBOUND_ALLOW: '127.0.0.1/32' })),
)
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

test('a camera that repeats in its refusal what it was asked for gives nothing away', async () => {
  const camera = await startFakeCamera({
    habit({ url, headers }, peer) {
      peer.write(`RTSP/1.0 404 bob:${SECRET} wants ${new URL(url).search}\r\nCSeq: ${headers.get('cseq')}\r\n\r\n`)
      return true
    },
  })
  const inputUrl = `${camera.url.replace('//', `//bob:${SECRET}@`)}?pwd=${SECRET}`
  const body = { alias: 'chatty', input_url: inputUrl, stream_type: 'rtsp' }
  const { source_uuid: source } = JSON.parse(await answerOf('POST', '/stream', body)) as { source_uuid: string }
  await until(async () => (await answerOf('GET', `/source/${source}`)).includes('answers DESCRIBE with 404'))
  const answers = [
    await answerOf('GET', `/source/${source}`),
    await answerOf('POST', `/start?source_uuid=${source}`),
    await answerOf('POST', '/stream/probe', { input_url: inputUrl }),
    await answerOf('GET', '/hls/bob/chatty/index.m3u8'),
  ]
  for (const text of [...answers, service.stderr()]) expect(text).not.toContain(SECRET)
  await camera.close()
})
