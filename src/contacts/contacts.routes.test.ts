import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'

let app: TestApp
/** Of a child that has nothing yet. */
let key: string
let children = 0
beforeAll(async () => void (app = await createTestApp()))
beforeEach(async () => void (key = await makeChild()))
afterAll(() => app.remove())

const makeChild = async () => {
  const { body } = await app.call('POST', '/keys', { body: { username: `child${++children}`, minutes: 1 } })
  return body.key
}
const call = (method: string, path: string, body?: unknown, as = key) => app.call(method, path, { body, key: as })

const SECRET = 'a-secret-that-nobody-sees'
const email = (config: object = {}) => ({
  alias: 'guard',
  type: 'email',
  config: {
    host: '203.0.113.7',
    username: 'u',
    password: SECRET,
    from: 'a@example.org',
    to: ['b@example.org'],
    ...config,
  },
})
const ntfy = (config: object = {}) => ({
  alias: 'phone',
  type: 'ntfy',
  config: { server: 'http://203.0.113.7:8080', topic: 'yard', token: SECRET, ...config },
})
const TOKEN = `123456:${'A'.repeat(35)}`
const telegram = (config: object = {}) => ({
  alias: 'chat',
  type: 'telegram',
  config: { bot_token: TOKEN, chat_id: '-1001', api_url: 'https://203.0.113.7', ...config },
})
const post = (body: object) => call('POST', '/contact', body)
const add = async (body: object = email()) => (await post(body)).body
const patch = (id: string, body: object) => call('PATCH', `/contact/${id}`, body)

test('a contact comes back without its secrets, with what was not sent filled in', async () => {
  const { status, body } = await post(email())
  expect(status).toBe(201)
  expect(body).toMatchObject({
    alias: 'guard',
    type: 'email',
    config: { host: '203.0.113.7', port: 465, security: 'tls', username: 'u', password: '***', to: ['b@example.org'] },
    quiet_hours: null,
    max_per_minute: 6,
    devices: [],
    status: { held: 0, last_sent_at: null, problem: null },
  })
  expect((await call('GET', '/contacts')).body).toEqual([body])
  expect((await call('GET', `/contact/${body.contact_uuid}`)).body).toEqual(body)
})

test('no answer and no log line has a secret', async () => {
  const answers = [await post(email()), await post(ntfy({ password: SECRET })), await post(telegram())]
  for (const { body } of [...answers]) {
    answers.push(
      await patch(body.contact_uuid, { alias: 'renamed' }),
      await patch(body.contact_uuid, { config: body.config }),
    )
    answers.push(await call('DELETE', `/contact/${body.contact_uuid}`))
  }
  answers.push(
    await call('GET', '/contacts'),
    await post(email({ port: SECRET })),
    await post(telegram({ chat_id: {} })),
  )
  const seen = [...answers.map(({ text }) => text), ...app.logLines].join('\n')
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(13)
  expect(seen).not.toContain(SECRET)
  expect(seen).not.toContain(TOKEN)
})

test('quiet hours and the cap are kept, changed and taken away', async () => {
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', days: [5, 6] }
  const { contact_uuid: id, ...contact } = await add({ ...ntfy(), quiet_hours, max_per_minute: 1 })
  expect(contact).toMatchObject({ quiet_hours, max_per_minute: 1 })
  expect((await patch(id, { max_per_minute: 60 })).body).toMatchObject({ quiet_hours, max_per_minute: 60 })
  expect((await patch(id, { quiet_hours: null })).body).toMatchObject({ quiet_hours: null, max_per_minute: 60 })
})

test.each<[name: string, body: object, place: string, sentence: RegExp]>([
  ['an unknown type', { ...email(), type: 'pager' }, 'body.type', /./],
  ['no host', email({ host: undefined }), 'body.config.host', /./],
  [
    'a URL as host',
    email({ host: 'smtp://mail.example.org' }),
    'body.config.host',
    /name or the address of a mail server/,
  ],
  ['a line break in the host', email({ host: 'mail\r\nRSET' }), 'body.config.host', /name or the address/],
  ['the port of ssh', email({ port: 22 }), 'body.config.port', /25, 465, 587/],
  [
    'a line break in an address',
    email({ to: ['b@example.org\r\nBcc: c@example.org'] }),
    'body.config.to.0',
    /line breaks|one address/,
  ],
  ['two addresses in one', email({ to: ['b@example.org, c@example.org'] }), 'body.config.to.0', /one address/],
  ['a name with an address', email({ from: 'Guard <a@example.org>' }), 'body.config.from', /one address/],
  ['six addresses', email({ to: Array(6).fill('a@b.c') }), 'body.config.to', /at most 5/],
  ['a mask for a secret', email({ password: '***' }), 'body.config.password', /write the secret again/],
  [
    'the machine of the cloud’s metadata',
    email({ host: '169.254.169.254', port: 2525 }),
    'body.config.host',
    /may not be called/,
  ],
  ['a path on the server', ntfy({ server: 'https://ntfy.sh/yard' }), 'body.config.server', /without a path/],
  ['a login in the address', ntfy({ server: 'https://u:p@ntfy.sh' }), 'body.config.server', /fields of its own/],
  ['a port of another service', ntfy({ server: 'http://203.0.113.7:22' }), 'body.config.server', /from 1024 on/],
  ['a topic that is a path', ntfy({ topic: '../v1/account' }), 'body.config.topic', /letters, digits/],
  [
    'a token that is a path',
    telegram({ bot_token: '1:../../admin/aaaaaaaaaaaaaaaa' }),
    'body.config.bot_token',
    /BotFather/,
  ],
  ['a name as chat', telegram({ chat_id: 'me' }), 'body.config.chat_id', /number of a chat/],
  ['an unknown field', email({ pasword: 'x' }), 'body.config.pasword', /do you mean password/],
  ['a line break in the alias', { ...email(), alias: 'a\nb' }, 'body.alias', /line breaks/],
  ['61 a minute', { ...email(), max_per_minute: 61 }, 'body.max_per_minute', /./],
])('%s is refused with a sentence', async (_name, body, place, sentence) => {
  const answer = await post(body)
  expect(answer.status).toBe(422)
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toContain(place)
  expect(answer.body.errors.find(({ path }: { path: string }) => path === place).message).toMatch(sentence)
})

test.each<[name: string, quiet: object, place: string, sentence: RegExp]>([
  ['all day', { from: '22:00', to: '22:00' }, 'to', /another time/],
  ['of no zone', { time_zone: 'Mars/Olympus' }, 'time_zone', /Europe\/Berlin/],
  ['at 25 o’clock', { from: '25:00' }, 'from', /22:00/],
  ['on the eighth day', { days: [8] }, 'days.0', /./],
])('quiet hours %s are refused', async (_name, quiet, place, sentence) => {
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'UTC', ...quiet }
  const { status, body } = await post({ ...ntfy(), quiet_hours })
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ path: `body.quiet_hours.${place}`, message: expect.stringMatching(sentence) }])
})

describe('a mask that is sent back', () => {
  test('keeps what was', async () => {
    const { contact_uuid: id, config } = await add()
    const { status, body } = await patch(id, { config: { ...config, to: ['c@example.org'] } })
    expect(status).toBe(200)
    expect(body.config).toEqual({ ...config, to: ['c@example.org'] })
  })

  test.each([{ host: '203.0.113.8' }, { port: 2525 }, { security: 'none' }, { username: 'other' }])(
    'does not when the secret would go elsewhere: %j',
    async (change) => {
      const { contact_uuid: id, config } = await add()
      const { status, body } = await patch(id, { config: { ...config, ...change } })
      expect(status).toBe(422)
      expect(body.errors[0]).toMatchObject({ path: 'body.config.password', message: expect.stringMatching(/again/) })
    },
  )

  test('a token is not sent to another server', async () => {
    const { contact_uuid: id, config } = await add(telegram())
    expect((await patch(id, { config: { ...config, api_url: 'https://203.0.113.9' } })).status).toBe(422)
  })
})

test('the type cannot be changed, and fields are those of the type', async () => {
  const { contact_uuid: id } = await add()
  expect((await patch(id, { type: 'ntfy' })).status).toBe(422)
  const { status, body } = await patch(id, { config: ntfy().config })
  expect(status).toBe(422)
  expect(body.errors.map(({ path }: { path: string }) => path)).toContain('body.config.topic')
})

describe('browsers', () => {
  const point = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  const browser = (change: object = {}) => ({
    name: 'Firefox on Android',
    endpoint: 'https://203.0.113.7/push/1',
    keys: { p256dh: point, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    ...change,
  })
  const addPush = async () => (await add({ alias: 'phone', type: 'webpush' })).contact_uuid
  const addDevice = (id: string, body: object) => call('POST', `/contact/${id}/device`, body)

  test('are added, listed without what pushes to them, added again as the same, and taken away', async () => {
    const id = await addPush()
    const { status, body } = await addDevice(id, browser())
    expect(status).toBe(201)
    expect((await addDevice(id, browser({ name: 'renamed' }))).body).toEqual(body)
    const { text, body: listed } = await call('GET', `/contact/${id}`)
    expect(listed.devices).toMatchObject([{ device_uuid: body.device_uuid, name: 'renamed' }])
    expect(text).not.toMatch(/push\/1|BTBZ|BCVx/)
    expect((await call('DELETE', `/contact/${id}/device/${body.device_uuid}`)).body).toMatchObject({ deleted: true })
    expect((await call('GET', `/contact/${id}`)).body.devices).toEqual([])
  })

  test.each<[name: string, change: object, place: string, sentence: RegExp]>([
    ['without encryption', { endpoint: 'http://203.0.113.7/push' }, 'body.endpoint', /begins with https/],
    ['at a port of another service', { endpoint: 'https://203.0.113.7:22/push' }, 'body.endpoint', /443/],
    ['with a login', { endpoint: 'https://u:p@203.0.113.7/push' }, 'body.endpoint', /no login/],
    ['at this machine', { endpoint: 'https://localhost/push' }, 'body.endpoint', /only a master key/],
    [
      'with a key that is no point',
      { keys: { p256dh: 'B'.repeat(87), auth: 'BTBZMqHH6r4Tts7J_aSIgg' } },
      'body.keys',
      /P-256/,
    ],
    ['with a short secret', { keys: { p256dh: point, auth: 'BTBZ' } }, 'body.keys', /16 bytes/],
  ])('%s are refused', async (_name, change, path, sentence) => {
    const { status, body } = await addDevice(await addPush(), browser(change))
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path, message: expect.stringMatching(sentence) }])
  })

  test('are for contacts by web push, ten of them', async () => {
    const { contact_uuid: other } = await add(ntfy())
    expect((await addDevice(other, browser())).status).toBe(422)
    const id = await addPush()
    for (let n = 0; n < 10; n++)
      expect((await addDevice(id, browser({ endpoint: `https://203.0.113.7/${n}` }))).status).toBe(201)
    expect(await addDevice(id, browser())).toMatchObject({ status: 403, body: { code: 'device-limit-reached' } })
    expect(Buffer.from((await call('GET', '/push_key')).body.public_key, 'base64url')).toHaveLength(65)
  })
})

test('a test says why it did not arrive, and there are ten a minute', async () => {
  const { contact_uuid: id } = await add({ alias: 'phone', type: 'webpush' })
  const run = () => call('POST', `/contact/${id}/test`)
  const { status, body } = await run()
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { delivered: false, problem: expect.stringMatching(/No browser/) },
  })
  for (let n = 0; n < 9; n++) expect((await run()).status).toBe(200)
  expect(await run()).toMatchObject({ status: 429, body: { code: 'too-many-tests' } })
})

test('what others have is not found', async () => {
  const { contact_uuid: id } = await add()
  const owner = `child${children}`
  key = await makeChild()
  for (const answer of [
    await call('GET', `/contact/${id}`),
    await patch(id, { alias: 'x' }),
    await call('DELETE', `/contact/${id}`),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'contact-not-found' } })
  expect((await call('GET', '/contacts')).body).toEqual([])
  expect((await app.call('GET', `/contacts?username=${owner}`)).body).toMatchObject([{ contact_uuid: id }])
})

test('a child may not have this machine called', async () => {
  const { status, body } = await post(email({ host: 'localhost', port: 2525 }))
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ path: 'body.config.host' }])
})

test('a key has fifty', async () => {
  for (let n = 0; n < 50; n++) expect((await post(ntfy())).status).toBe(201)
  expect(await post(ntfy())).toMatchObject({ status: 403, body: { code: 'contact-limit-reached' } })
})

test('one that is removed is gone, and goes with its key', async () => {
  const { contact_uuid: id } = await add()
  expect((await call('DELETE', `/contact/${id}`)).body).toEqual({ contact_uuid: id, deleted: true })
  expect((await call('GET', `/contact/${id}`)).status).toBe(404)
  await post(ntfy())
  expect((await app.call('DELETE', `/keys/child${children}?purge=true`)).status).toBe(200)
  expect((await app.call('GET', `/contacts?username=child${children}`)).body).toMatchObject({ code: 'key-not-found' })
})
