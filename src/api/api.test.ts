import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, MASTER_KEY, type TestApp } from '../../test/support/app.ts'
import { createTestDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'

describe('the information group', () => {
  let app: TestApp
  beforeAll(async () => void (app = await createTestApp()))
  afterAll(() => app.remove())

  test('/status needs no key', async () => {
    const { status, body } = await app.call('GET', '/status', { key: '' })
    expect(status).toBe(200)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(body).toEqual({
      status: 'ok',
      version: 'v2.15.2',
      service_version: version,
      uptime_seconds: expect.any(Number),
      processes_running: 0,
    })
  })

  test.each(['GET', 'POST'])('%s /login says what the key is good for', async (method) => {
    const { status, body } = await app.call(method, '/login')
    expect(status).toBe(200)
    expect(body).toEqual({ valid: true, username: 'admin', product: 'Aerie', is_master: true, expiration_date: null })
  })

  test('POST /login takes the content type of a body that is not there', async () => {
    expect((await app.call('POST', '/login', { body: '' })).status).toBe(200)
  })

  test('/user_info has the fields of the interface, and children once there are any', async () => {
    const before = await app.call('GET', '/user_info')
    expect(before.body).toEqual({
      version: 'v2.15.2',
      username: 'admin',
      product: 'Aerie',
      uploaded_video_storage: {
        max_video_upload_size_bytes: 524_288_000,
        total_storage_size_bytes: 2 ** 40,
        used_storage_size_bytes: 0,
      },
      subscription: {
        remaining_minutes: 52_560_000,
        expiration_date: null,
        pending_to_allocate: 52_560_000,
        consumed_minutes: 0,
        unlimited: true,
        lasts_minutes: null,
        minutes_low: false,
      },
      is_track_logger_enabled: true,
    })
    await app.call('POST', '/keys', { body: { username: 'pilot', minutes: 90.5, expiration_date: '2099-12-31' } })
    const after = await app.call('GET', '/user_info')
    expect(after.body.subscription).toEqual(before.body.subscription)
    expect(after.body.children_subscription).toEqual([
      {
        username: 'pilot',
        remaining_minutes: 90.5,
        expiration_date: '2099-12-31',
        pending_to_allocate: 0,
        consumed_minutes: 0,
        unlimited: false,
        lasts_minutes: null,
        minutes_low: false,
      },
    ])
  })

  test('deprecated /info answers as ever and names its successor', async () => {
    const { body, headers } = await app.call('GET', '/info')
    expect(Object.keys(body).sort()).toEqual(['product', 'subscription', 'uploaded_video_storage', 'version'])
    expect(Object.keys(body.subscription).sort()).toEqual(['consumed_minutes', 'expiration_date', 'remaining_minutes'])
    expect(headers['deprecation']).toMatch(/^@\d{10}$/)
    expect(headers['link']).toBe('</user_info>; rel="successor-version"')
  })

  test('a successor is named with the id that was asked for', async () => {
    const id = '00000000-0000-7000-8000-000000000001'
    const { headers } = await app.call('POST', `/process/${id}/stop`)
    expect(headers['link']).toBe(`</process/${id}>; rel="successor-version"`)
  })

  test.each([
    ['the header api_key', '/login', { api_key: MASTER_KEY }],
    ['Authorization: Bearer', '/login', { authorization: `Bearer ${MASTER_KEY}` }],
    ['the query', `/login?api_key=${MASTER_KEY}`, {}],
  ])('a key is read from %s', async (_where, path, headers) => {
    expect((await app.call('GET', path, { key: '', headers })).status).toBe(200)
  })

  test('no key, a wrong key: 403 with a code of its own', async () => {
    expect((await app.call('GET', '/user_info', { key: '' })).body).toMatchObject({
      status: 403,
      code: 'api-key-missing',
    })
    const wrong = await app.call('GET', '/login', { key: 'ak_wrong' })
    expect(wrong.headers['content-type']).toContain('application/problem+json')
    expect(wrong.body).toMatchObject({
      status: 403,
      code: 'api-key-invalid',
      title: 'Api key invalid',
      detail: expect.stringContaining('not known'),
    })
  })
})

describe.each(dialects)('keys, with %s', (dialect) => {
  let database: TestDatabase
  let app: TestApp
  const clock = createFakeClock(Date.UTC(2026, 5, 1))
  beforeAll(async () => {
    database = await createTestDatabase(dialect)
    app = await createTestApp({ AERIE_DATABASE_URL: database.url }, clock)
  })
  afterAll(async () => {
    await app.remove()
    await database.remove()
  })

  test('a key is made, used, changed, replaced and revoked', async () => {
    const created = await app.call('POST', '/keys', { body: { username: 'pilot', minutes: 60, max_processes: 2 } })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      username: 'pilot',
      is_master: false,
      max_processes: 2,
      track_logger: true,
      process_recording: false,
    })
    const { key } = created.body
    expect((await app.call('GET', '/login', { key })).body).toMatchObject({ username: 'pilot', is_master: false })

    expect((await app.call('GET', '/keys')).body).toMatchObject([
      { username: 'pilot', subscription: { remaining_minutes: 60 } },
    ])
    expect((await app.call('GET', '/keys')).text).not.toContain(key)

    const over = await app.call('PATCH', '/keys/pilot', { body: { expiration_date: '2026-05-31' } })
    expect(over.body).toMatchObject({ status: 422, errors: [{ path: 'body.expiration_date' }] })
    const changed = await app.call('PATCH', '/keys/pilot', { body: { expiration_date: '2026-06-01' } })
    expect(changed.body).toMatchObject({ expiration_date: '2026-06-01', max_processes: 2 })
    expect((await app.call('GET', '/login', { key })).status).toBe(200)
    await clock.advance(86_400_000)
    expect((await app.call('GET', '/login', { key })).body).toMatchObject({
      code: 'api-key-expired',
      detail: expect.stringContaining('2026-06-01'),
    })
    await app.call('PATCH', '/keys/pilot', { body: { expiration_date: null } })

    const rotated = await app.call('POST', '/keys/pilot/rotate')
    expect((await app.call('GET', '/login', { key })).status).toBe(403)
    expect((await app.call('GET', '/login', { key: rotated.body.key })).status).toBe(200)

    expect((await app.call('DELETE', '/keys/pilot')).body).toEqual({ username: 'pilot', deleted: true })
    expect((await app.call('GET', '/login', { key: rotated.body.key })).status).toBe(403)
    expect((await app.call('DELETE', '/keys/pilot')).body).toMatchObject({ status: 404, code: 'key-not-found' })
  })

  test('what a revoked key has stored can be deleted later', async () => {
    const body = { username: 'guest' }
    await app.call('POST', '/keys', { body })
    expect((await app.call('DELETE', '/keys/guest')).status).toBe(200)
    expect((await app.call('POST', '/keys', { body })).body).toMatchObject({
      status: 409,
      code: 'username-taken',
      detail: expect.stringContaining('DELETE /keys/guest?purge=true'),
    })
    expect((await app.call('DELETE', '/keys/guest?purge=true')).body).toEqual({ username: 'guest', deleted: true })
  })

  test('an unlimited master gives as much as is wanted, also without end', async () => {
    const { body } = await app.call('POST', '/keys', { body: { username: 'free', minutes: null } })
    expect(body).toMatchObject({ unlimited: true, subscription: { remaining_minutes: 52_560_000, unlimited: true } })
    const limited = await app.call('PATCH', '/keys/free', { body: { unlimited: false } })
    expect(limited.body).toMatchObject({ unlimited: false, subscription: { remaining_minutes: 0, unlimited: false } })
    const given = await app.call('POST', '/subscription/allocate', { body: { username: 'free', minutes: 90_000_000 } })
    expect(given.body.subscription.remaining_minutes).toBe(90_000_000)
  })

  test('minutes are allocated to a child, or to oneself', async () => {
    await app.call('POST', '/keys', { body: { username: 'crew' } })
    const given = await app.call('POST', '/subscription/allocate', { body: { username: 'crew', minutes: 120 } })
    expect(given.body.subscription.remaining_minutes).toBe(120)
    const own = await app.call('POST', '/subscription/allocate', { body: { username: 'admin', minutes: 1 } })
    expect(own.body.subscription).toMatchObject({ remaining_minutes: 52_560_000, unlimited: true })
  })

  test('a child key may do none of this', async () => {
    const { key } = (await app.call('POST', '/keys', { body: { username: 'plain' } })).body
    for (const [method, path, body] of [
      ['POST', '/keys', { username: 'x' }],
      ['GET', '/keys', undefined],
      ['PATCH', '/keys/crew', {}],
      ['POST', '/keys/crew/rotate', undefined],
      ['DELETE', '/keys/crew', undefined],
      ['DELETE', '/keys/plain', undefined],
      ['POST', '/subscription/allocate', { username: 'crew', minutes: 1 }],
    ] as const) {
      expect((await app.call(method, path, { key, body })).body).toMatchObject({
        status: 403,
        code: 'master-key-required',
      })
    }
  })

  test('a master cannot revoke itself, nor take a name twice', async () => {
    expect((await app.call('DELETE', '/keys/admin')).body).toMatchObject({
      code: 'own-key-not-revocable',
      detail: expect.stringContaining('Ask whoever runs the service for `aerie keys rotate admin`'),
    })
    expect((await app.call('POST', '/keys', { body: { username: 'crew' } })).body).toMatchObject({
      status: 409,
      code: 'username-taken',
    })
  })

  test('a list leads to its next page', async () => {
    const first = await app.call('GET', '/keys?limit=1')
    expect(first.body).toHaveLength(1)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1]
    const second = await app.call('GET', next!)
    expect(second.body[0].username).not.toBe(first.body[0].username)
  })
})

describe('bad input', () => {
  const NOBODY = '019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10'
  // A key that can't be recognized by its looks.
  const chosenKey = 'my-own-master-key-1'
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ AERIE_CORS_ORIGINS: 'https://app.example', AERIE_MASTER_KEY: chosenKey })
  })
  afterAll(() => app.remove())

  test.each([
    ['unparsable JSON', '{"username":', 400, 'json-unparsable'],
    ['a key that reaches a prototype', '{"username":"x","__proto__":{}}', 400, 'json-unparsable'],
    ['an array', '[]', 422, 'input-invalid'],
    ['nothing', '', 422, 'input-invalid'],
    ['a wrong type', '{"username":5}', 422, 'input-invalid'],
    ['an unknown field', '{"username":"x","colour":"red"}', 422, 'input-invalid'],
    ['a bad name', '{"username":"../etc"}', 422, 'input-invalid'],
    ['a bad date', '{"username":"x","expiration_date":"tomorrow"}', 422, 'input-invalid'],
    ['negative minutes', '{"username":"x","minutes":-1}', 422, 'input-invalid'],
    ['a huge number', '{"username":"x","minutes":1e300}', 422, 'input-invalid'],
  ])('%s is answered with what is wrong', async (_name, body, status, code) => {
    const answer = await app.call('POST', '/keys', { body })
    expect(answer.body).toMatchObject({ status, code })
  })

  test('every wrong place is named', async () => {
    const { body } = await app.call('POST', '/keys', { body: { username: 'A', minutes: 'x', colour: 1 } })
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'body.colour',
      'body.minutes',
      'body.username',
    ])
  })

  test.each([
    ['nothing', undefined],
    ['null', 'null'],
    ['an empty object', {}],
  ])('who sends %s is told of every field that is missing', async (_name, body) => {
    const paths = async (path: string) =>
      (await app.call('POST', path, { body })).body.errors.map((error: { path: string }) => error.path).sort()
    expect(await paths('/keys')).toEqual(['body.username'])
    expect(await paths('/stream')).toEqual(['body.alias', 'body.input_url', 'body.stream_type'])
    expect(await paths('/output')).toEqual(['body.alias', 'body.type'])
    expect(await paths('/alert')).toEqual(['body.alias', 'body.output', 'body.type'])
  })

  test('a field that another one makes necessary is told with the others', async () => {
    const { body } = await app.call('POST', '/output', { body: { type: 'rtsp' } })
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['body.alias', 'body.url'])
  })

  test.each([
    ['POST', '/keys', {}, 'body.username', 'It is missing: give text.'],
    ['POST', '/keys', { username: 5 }, 'body.username', 'Give text, not a number.'],
    ['POST', '/keys', { username: 'x', minutes: -1 }, 'body.minutes', 'Give at least 0.'],
    ['POST', '/keys', { username: 'x', minutes: 'all' }, 'body.minutes', 'Give a number, not text.'],
    ['POST', '/keys', { username: 'x', max_sources: 1.5 }, 'body.max_sources', 'Give a whole number.'],
    ['POST', '/subscription/allocate', { username: 'x', minutes: null }, 'body.minutes', 'Give a number, not null.'],
    ['POST', '/subscription/allocate', { username: 'x', minutes: -1 }, 'body.minutes', 'Give more than 0.'],
    ['PATCH', '/keys/poor', { minutes: 4 }, 'body.minutes', /^Minutes are given by POST \/subscription\/allocate, /],
    ['POST', '/keys', [], 'body', 'Give an object, not a list.'],
    ['POST', '/keys', { username: 'x', userName: 'y' }, 'body.userName', /do you mean username\?$/],
    ['POST', '/keys', { username: 'x', colour: 1 }, 'body.colour', /^There is no such field\.$/],
    ['POST', '/stream', { alias: '' }, 'body.alias', 'It is empty.'],
    ['POST', '/stream', { stream_type: 'hls' }, 'body.stream_type', 'Choose one of rtmp, rtsp.'],
    [
      'POST',
      '/stream',
      { telemetry_cfg: {} },
      'body.telemetry_cfg.type',
      /missing: choose one of mqtt, websocket, static/,
    ],
    ['POST', '/alert', { type: 'rain' }, 'body.type', /^Choose one of grid-density, /],
    ['POST', '/alert', { type: 'rain' }, 'body.alias', 'It is missing: give text.'],
    ['PATCH', `/alert/${NOBODY}`, { trigger: null }, 'body.trigger', 'Give an object, not null.'],
    ['POST', '/start', undefined, 'query.source_uuid', 'It is missing: give a uuid.'],
    ['GET', '/process/x', undefined, 'path.process_uuid', /^This is not a uuid/],
    ['POST', `/start?source_uuid=${NOBODY}&tiles=9x9`, undefined, 'query.tiles', /^Choose auto, or .* 2x2\.$/],
    ['POST', `/start?source_uuid=x`, undefined, 'query.source_uuid', /^This is not a uuid/],
    ['POST', `/start?source_uuid=${NOBODY}&confidence=much`, undefined, 'query.confidence', 'Give a number.'],
    [
      'POST',
      `/start?source_uuid=${NOBODY}&labels=gpu`,
      undefined,
      'query.labels',
      /^This service has one node, .* leave `labels` out\.$/,
    ],
    ['POST', '/start', { source_uuid: NOBODY }, 'body.source_uuid', /^It belongs in the query: \?source_uuid=…$/],
    ['PATCH', `/alert/${NOBODY}?force=yes`, { force: true }, 'query.force', 'Choose one of true, false.'],
    [
      'DELETE',
      `/subscriptions/${NOBODY}?all=true&subscription_uuid=x`,
      { subscription_uuid: NOBODY },
      'query.subscription_uuid',
      /uuid/,
    ],
    ['POST', '/stream?alias=cam', {}, 'body.alias', 'It belongs in the body, not in the query.'],
    ['POST', '/login', { y: 1 }, 'body.y', 'There is no such field.'],
    ['GET', '/keys?limt=5', undefined, 'query.limt', /do you mean limit\?$/],
    ['GET', '/keys?limit=0', undefined, 'query.limit', 'Give at least 1.'],
  ])('%s %s with %j says of %s: %s', async (method, path, sent, place, sentence) => {
    const { status, body, text } = await app.call(method, path, { body: sent })
    expect(status).toBe(422)
    const said = body.errors.filter((error: { path: string }) => error.path === place)
    expect(said).toEqual([{ path: place, message: expect.stringMatching(sentence) }])
    expect(text).not.toMatch(/expected|received|NaN|Too (small|big)|Invalid/)
  })

  test('no validator’s words, whatever is sent', async () => {
    const odd: unknown[] = [null, true, -1, 1e300, 0.5, '', 'x', 'x'.repeat(2001), [], [null], {}, { x: { y: null } }]
    const bodies = odd.flatMap((value) => [
      value,
      ...[
        'alias',
        'type',
        'url',
        'settings',
        'telemetry_cfg',
        'region',
        'output',
        'trigger',
        'username',
        'minutes',
      ].map((name) => ({ [name]: value, type: name === 'type' ? value : 'grid-density' })),
    ])
    for (const path of ['/stream', '/output', '/alert', '/keys', '/session'])
      for (const body of bodies) {
        const answer = await app.call('POST', path, { body: JSON.stringify(body) })
        expect(answer.status, answer.text).toBe(422)
        expect(answer.text).not.toMatch(/expected|received|NaN|Too (small|big)|Invalid|nonoptional|ZodError/)
      }
  })

  test('no telemetry may be said by null', async () => {
    const stream = { alias: 'cam', input_url: 'rtsp://192.0.2.7/live', stream_type: 'rtsp', telemetry_cfg: null }
    expect((await app.call('POST', '/stream', { body: stream })).body).toMatchObject({ telemetry_cfg: null })
  })

  test('parameters that nobody knows are ignored, as proxies and pages add their own', async () => {
    for (const path of ['/keys?_=1731715200', '/status?utm_source=mail&x=1', '/sources?nocache=1', '/login?t=1'])
      expect((await app.call('GET', path)).status).toBe(200)
    expect((await app.call('POST', '/login?x=1')).status).toBe(200)
  })

  test('a key that strays into a field’s name is not repeated, and the list of errors is bounded', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`ak_0123456789abcdefghijklmnopq_${i}`, 1]))
    const answer = await app.call('POST', '/keys', { body: fields })
    expect(answer.text).not.toContain('0123456789abcdef')
    expect(answer.body.errors.length).toBeLessThanOrEqual(100)
  })

  test('thousands of unknown fields are no more work than a hundred', async () => {
    const fields = Object.fromEntries(Array.from({ length: 19_000 }, (_, i) => [i.toString(36), 1]))
    const worked = async (body: unknown) => {
      const { user } = process.cpuUsage()
      expect((await app.call('POST', '/keys', { body })).body.errors.length).toBeLessThanOrEqual(100)
      return process.cpuUsage().user - user
    }
    await worked(fields)
    const parsing = process.cpuUsage().user
    for (let i = 0; i < 3; i++) JSON.parse(JSON.stringify(fields))
    const parsedMicros = (process.cpuUsage().user - parsing) / 3
    // The least of three: collecting garbage of the files before this one counts as well, whenever it comes.
    const minMicros = Math.min(await worked(fields), await worked(fields), await worked(fields))
    expect(minMicros).toBeLessThan(Math.max(parsedMicros, 20_000) * 20)
  })

  test('JSON that is nested too deeply is said to be', async () => {
    const answer = await app.call('POST', '/keys', { body: '['.repeat(19_000) + ']'.repeat(19_000) })
    expect(answer.body).toMatchObject({ status: 400, detail: expect.stringContaining('nested too deeply') })
  })

  test('more values than anything takes are refused before they are parsed', async () => {
    const answer = await app.call('POST', '/keys', { body: `[${'[],'.repeat(300_000)}[]]` })
    expect(answer.body).toMatchObject({ status: 400, detail: expect.stringContaining('more than 20000 values') })
  })

  test('a quote of what is no JSON is short', async () => {
    const { body } = await app.call('POST', '/keys', { body: `{"username": ${'x'.repeat(50_000)}}` })
    expect(body.code).toBe('json-unparsable')
    expect(body.detail.length).toBeLessThan(200)
  })

  test.each([
    ['GET', '/start', 'POST'],
    ['POST', '/sources', 'GET, HEAD'],
    ['POST', `/source/${NOBODY}`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `/source/${NOBODY}/token`, 'POST'],
    ['DELETE', '/video', 'POST'],
    ['PUT', `/alert/${NOBODY}`, 'DELETE, PATCH, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PATCH', '/', 'GET, HEAD'],
    ['OPTIONS', '/stream', 'POST'],
    ['HEAD', '/stream', 'POST'],
    ['TRACE', '/status', 'GET, HEAD'],
  ])('%s %s is told that there is %s', async (method, path, allow) => {
    for (const key of [chosenKey, '']) {
      const answer = await app.call(method, path, { key })
      expect(answer.body).toMatchObject({ status: 405, code: 'method-not-allowed' })
      expect(answer.body.detail).toContain(allow)
      expect(answer.headers['allow']).toBe(allow)
    }
  })

  test('what is no path stays unknown, by any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await app.call(method, '/nowhere')).status).toBe(404)
  })

  test('a video that is sent as it is, not in a form, is told how', async () => {
    for (const type of ['video/mp4', 'application/json', 'application/x-www-form-urlencoded']) {
      const answer = await app.call('POST', '/video', { body: '{}', headers: { 'content-type': type } })
      expect(answer.body).toMatchObject({ status: 415, detail: expect.stringContaining('curl -F file=@flight.mp4') })
    }
  })

  test('a body that is too large, or of another type', async () => {
    const large = await app.call('POST', '/keys', { body: JSON.stringify({ username: 'x'.repeat(2_000_000) }) })
    expect(large.body).toMatchObject({ status: 413, code: 'body-too-large' })
    const other = await app.call('POST', '/keys', {
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(other.body).toMatchObject({ status: 415, code: 'media-type-unsupported' })
  })

  test('an empty body is none, whatever it is said to be', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const answer = await app.call('POST', '/keys', { body: '', headers: { 'content-type': type } })
      expect(answer.body).toMatchObject({ status: 422, code: 'input-invalid' })
    }
  })

  test('an unknown path, an unknown method, a path that is no URL', async () => {
    expect((await app.call('GET', '/nowhere')).body).toMatchObject({ status: 404, code: 'not-found' })
    const wrongMethod = await app.call('PUT', '/keys')
    expect(wrongMethod.body).toMatchObject({ status: 405, code: 'method-not-allowed' })
    expect(wrongMethod.headers['allow']).toBe('GET, HEAD, POST')
    expect((await app.call('GET', '/keys/%E0%A4%A')).status).toBe(400)
  })

  test.each([
    ['GET', '/source/%ZZ', {}, 400, /: its address has a % without two hexadecimal digits behind it; .* %25\.$/],
    ['POST', '/stream', { body: "{'alias': 'x'}" }, 400, /: character 2 is wrong there: use double quotes/],
    ['POST', '/subscribe', {}, 404, /; do you mean POST \/subscribe\/\{process_uuid\}\? /],
    ['GET', '/nowhere', {}, 404, /; see \/docs for what there is\.$/],
    ['GET', '/login?api_key=a&api_key=b', { key: '' }, 400, /: its query has api_key twice; send it once\.$/],
    ['GET', '/hls/cam/index.m3u8', {}, 404, /; a stream is at \/hls\/<username>\/<stream path>\/index\.m3u8\.$/],
    ['GET', '/webrtc/cam', {}, 404, /; a stream is at \/webrtc\/<username>\/<stream path>\.$/],
  ])('%s %s with %j is told what to do: %i', async (method, path, options, status, sentence) => {
    const { body } = await app.call(method, path, options)
    expect(body).toMatchObject({ status, detail: expect.stringMatching(sentence) })
  })

  test('answers carry security headers, and CORS only for those allowed', async () => {
    const allowed = await app.call('GET', '/status', { headers: { origin: 'https://app.example' } })
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(allowed.headers['x-content-type-options']).toBe('nosniff')
    expect(allowed.headers['content-security-policy']).toContain("default-src 'self'")
    const stranger = await app.call('GET', '/status', { headers: { origin: 'https://evil.example' } })
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('browsers may ask before they call from an allowed origin, without a key', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    expect(await app.call('OPTIONS', '/stream', { key: '', headers })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      },
    })
  })

  test('guessing keys is slowed down', async () => {
    const guesses = Array.from({ length: 25 }, (_, i) => app.call('GET', '/login', { key: `guess-${i}` }))
    const answers = await Promise.all(guesses)
    expect(answers[0]?.status).toBe(403)
    expect(answers.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() } })
    expect((await app.call('GET', '/login')).status).toBe(200)
  })

  test('no key was ever logged, and every line is JSON', async () => {
    for (const path of [`/login?api_key=${chosenKey}`, `/login?api%5Fkey=${chosenKey}`])
      expect((await app.call('GET', path, { key: '' })).status).toBe(200)
    await app.call('GET', `/nowhere?token=${chosenKey}"`)
    const text = app.logLines.join('')
    expect(text).toContain('/login?api%5Fkey=***')
    expect(text).not.toContain(chosenKey)
    for (const line of app.logLines) JSON.parse(line)
  })
})

describe('for operators', () => {
  let app: TestApp
  beforeAll(async () => void (app = await createTestApp()))
  afterAll(() => app.remove())

  test('health, readiness and metrics', async () => {
    expect((await app.call('GET', '/healthz', { key: '' })).body).toEqual({ status: 'ok' })
    expect((await app.call('GET', '/readyz', { key: '' })).body).toEqual({
      status: 'not ready',
      checks: { database: 'ok', disk: 'ok', 'event loop': 'ok', 'media server': 'failed' },
    })
    await app.call('GET', '/status')
    expect((await app.call('GET', '/metrics')).text).toContain(
      'aerie_http_requests_total{method="GET",route="/status",status="200"} 1',
    )
  })

  test('the API page and its script come from here', async () => {
    const page = await app.call('GET', '/docs', { key: '' })
    expect(page.text).not.toMatch(/https?:\/\//)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await app.call('GET', '/docs/reference.js', { key: '' })).headers['content-encoding']).toBe('gzip')
    expect((await app.call('GET', '/errors', { key: '' })).text).toContain('id="api-key-invalid"')
  })

  test('the OpenAPI document describes every route, with its errors', async () => {
    const { body } = await app.call('GET', '/openapi.json', { key: '' })
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/status', '/login', '/user_info', '/info', '/keys', '/keys/{username}']),
    )
    expect(body.paths['/keys'].post.responses.default.content['application/problem+json']).toBeDefined()
    expect(body.paths['/status'].get.security).toEqual([])
  })
})
