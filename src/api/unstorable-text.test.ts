import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { createTestDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'

const alert = { type: 'follow-track', trigger: { interval_seconds: 1 }, output: [] }
const stream = { input_url: 'rtsp://203.0.113.1/a', stream_type: 'rtsp' }
const mqtt = { ip: '203.0.113.1', port: 1883 }
const UUID = '00000000-0000-7000-8000-000000000000'

describe.each(dialects)('on %s, text that no database would take', (dialect) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createTestDatabase(dialect)
    app = await createTestApp({ AERIE_DATABASE_URL: database.url })
  })
  afterAll(async () => {
    await app?.remove()
    await database?.remove()
  })

  describe.each([
    ['NUL', 'a\0'],
    ['half of a surrogate pair', 'a\ud83d'],
  ])('%s', (_name, text) => {
    test.each([
      ['POST', '/output', { alias: text, type: 'rtsp', url: 'rtsp://x' }, 'body.alias'],
      ['POST', '/alert', { ...alert, alias: text }, 'body.alias'],
      ['POST', '/stream', { ...stream, alias: text }, 'body.alias'],
      [
        'POST',
        '/stream',
        { ...stream, alias: 'a', telemetry_cfg: { type: 'mqtt', parameters: { ...mqtt, topic: text } } },
        'body.telemetry_cfg.parameters.topic',
      ],
      ['POST', '/keys', { username: text, minutes: 1 }, 'body.username'],
    ])('%s %s', async (method, path, body, field) => {
      const answer = await app.call(method, path, { body })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toContainEqual({ path: field, message: expect.stringMatching(/./) })
    })
  })

  test.each([
    ['GET', '/processes?username=a%00', 422],
    ['GET', '/sources?username=a%00', 422],
    ['GET', '/hls/a%00/b/index.m3u8', 404],
    ['GET', '/webrtc/a%00/b', 404],
    ['DELETE', '/keys/a%00', 422],
    ['GET', '/user_info?api_key=a%00', 403],
    ['GET', `/process/${UUID}/video/%00?token=a%00`, 422],
  ])('%s %s', async (method, path, status) => {
    expect((await app.call(method, path, { key: path.includes('api_key') ? '' : undefined })).status).toBe(status)
  })

  test('a session of such a secret is none', async () => {
    const headers = { cookie: 'aerie_session=se_a%00b' }
    expect((await app.call('GET', '/user_info', { key: '', headers })).status).toBe(403)
  })

  test('what is beyond ASCII is taken', async () => {
    const alias = 'Höhe €\u{1f681}'
    const answer = await app.call('POST', '/stream', { body: { ...stream, alias } })
    expect(answer).toMatchObject({ status: 201, body: { alias } })
  })
})
