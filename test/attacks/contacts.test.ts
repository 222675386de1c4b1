/**
 * A contact has secrets, calls servers and sends what others may have named: its secrets are shown nowhere again, names make no headers and
 * no recipients, what is called is checked when it is dialled, and neither a flood of tests nor a contact of somebody else gets anywhere.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { type BodyReceiver, createBodyReceiver } from '../support/body-receiver.ts'
import { createMailServer, type MailServer } from '../support/mail-server.ts'

const SECRET = 's3cret-of-bobs'
const TOKEN = `123456:${'s3cret-of-bobs'.repeat(2)}`
const ALLOWED = { AERIE_OUTBOUND_ALLOW: '127.0.0.1/32' }

let service: AttackedService
/** They repeat in their refusals what they were told. */
let mail: MailServer
let http: BodyReceiver

beforeAll(async () => {
  service = await startAttacked({ ...ALLOWED, AERIE_LOG_LEVEL: 'trace' })
  http = await createBodyReceiver()
  http.answerBy(({ path, headers }, response) => {
    if (path.includes('refused')) return void response.writeHead(401).end(JSON.stringify({ path, headers }))
    response.writeHead(path.startsWith('/bot') ? 401 : 200).end(JSON.stringify({ path, headers }))
  })
  mail = await createMailServer({
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      done(password === SECRET ? new Error(`${username} is not let in by ${password}`) : null, { user: username! })
    },
  })
})
afterAll(async () => {
  await service.installation.remove()
  await Promise.all([mail.close(), http.close()])
})

const call = async (key: string, method: string, path: string, body?: object) => {
  const response = await service.call(method, path, { key, ...(body && { body }) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Record<string, unknown> }
}
const email = (change: object = {}) => ({
  type: 'email',
  config: {
    host: '127.0.0.1',
    port: mail.port,
    security: 'none',
    from: 'aerie@example.org',
    to: ['guard@example.org'],
    ...change,
  },
})
const ntfy = (change: object = {}) => ({ type: 'ntfy', config: { server: http.url, topic: 'yard', ...change } })
async function add(key: string, body: object): Promise<string> {
  const answer = await call(key, 'POST', '/contact', { alias: 'x', ...body })
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['contact_uuid'])
}

test('secrets are shown by no answer, no line of the log and no command', async () => {
  const ids = [
    await add(service.bob, email({ username: 'bob', password: SECRET })),
    await add(service.bob, ntfy({ topic: 'refused', token: SECRET, username: 'bob', password: SECRET })),
    await add(service.bob, {
      type: 'telegram',
      config: { bot_token: TOKEN, chat_id: '1', api_url: http.url },
    }),
  ]
  const answers = [await call(service.bob, 'GET', '/contacts'), await call(service.bob, 'GET', '/user_info')]
  answers.push(await call(service.installation.masterKey, 'GET', '/contacts?username=bob'))
  const other = http.url.replace(/\d+$/, '2525')
  const moves = [{ port: 2525 }, { server: other }, { api_url: other }]
  for (const [index, id] of ids.entries()) {
    const tested = await call(service.bob, 'POST', `/contact/${id}/test`)
    expect(tested.body).toMatchObject({ delivered: false, problem: expect.stringMatching(/refuses|does not know/) })
    const { body } = await call(service.bob, 'GET', `/contact/${id}`)
    // Sent back as it was shown, to another server: the secret does not go there.
    const moved = await call(service.bob, 'PATCH', `/contact/${id}`, {
      config: { ...(body['config'] as object), ...moves[index] },
    })
    expect(moved.text).toMatch(/write the secret again/)
    answers.push(tested, moved)
    answers.push(await call(service.bob, 'PATCH', `/contact/${id}`, { config: { password: SECRET, token: SECRET } }))
  }
  const backup = join(service.installation.dataDir, 'all.backup')
  const commands = [
    await service.installation.command('backup', backup),
    await service.installation.command('keys', 'list', '--json'),
    await service.installation.command('doctor').catch((failure: { stdout: string; stderr: string }) => failure),
  ]
  const said = commands.flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of [...answers.map(({ text }) => text), ...said, service.stderr()]) expect(text).not.toContain(SECRET)
  // It is there to be used: whoever restores has contacts that work.
  expect(gunzipSync(readFileSync(backup)).toString()).toContain(SECRET)
})

test('names make neither headers nor recipients', async () => {
  const hostile = 'x =?UTF-8?Q?=0D=0ABcc=3A_eve=40example.org?= "a" <eve@example.org>, eve@example.org;'
  const id = await add(service.mallory, { ...email(), alias: hostile })
  expect((await call(service.mallory, 'POST', `/contact/${id}/test`)).body).toMatchObject({ delivered: true })
  const { to, raw } = mail.mails.at(-1)!
  expect(to).toEqual(['guard@example.org'])
  const [head] = raw.split('\r\n\r\n') as [string]
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase())
  expect(names).toEqual([...new Set(names)])
  expect(names).not.toContain('bcc')
  expect(head.match(/^To: .*$/m)![0].trim()).toBe('To: guard@example.org')
  for (const alias of ['a\r\nBcc: eve@example.org', 'a\u2028b', 'a\u0000b'])
    expect((await call(service.mallory, 'POST', '/contact', { ...email(), alias })).status).toBe(422)
})

test('a contact of somebody else is none that an alert may name', async () => {
  const id = await add(service.bob, ntfy())
  const alert = (contact: string) => ({
    alias: 'x',
    type: 'filter-search',
    output: [{ type: 'contact', config: { contact_uuid: contact } }],
  })
  const own = await call(service.mallory, 'POST', '/alert', alert(await add(service.mallory, ntfy())))
  for (const key of [service.mallory, service.installation.masterKey])
    expect(await call(key, 'POST', '/alert', alert(id))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'body.output.0.config.contact_uuid', message: expect.stringMatching(/no contact/) }] },
    })
  const { output } = alert(id)
  expect((await call(service.mallory, 'PATCH', `/alert/${String(own.body['uuid'])}`, { output })).status).toBe(422)
  for (const path of [`/contact/${id}`, `/contact/${id}/test`])
    expect((await call(service.mallory, path.endsWith('test') ? 'POST' : 'GET', path)).status).toBe(404)
})

test('of a flood of tests ten a minute go out, one after the other', async () => {
  const eve = await createChild(service, 'eve')
  const id = await add(eve, ntfy({ topic: 'flooded' }))
  let underWay = 0
  let maxUnderWay = 0
  http.answerBy((_call, response) => {
    maxUnderWay = Math.max(maxUnderWay, ++underWay)
    setTimeout(() => void response.end('{}', () => underWay--), 50)
  })
  const before = http.calls.length
  for (let round = 0; round < 12; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(eve, 'POST', `/contact/${id}/test`)))
    for (const { status, headers, body } of answers.filter((one) => one.status !== 200))
      expect([status, body['code'], Number(headers.get('retry-after')) > 0]).toEqual([429, 'too-many-tests', true])
  }
  expect(http.calls.length - before).toBe(10)
  expect(maxUnderWay).toBe(1)
})

test('an address that may not be called any more is not dialled', async () => {
  const id = await add(service.mallory, ntfy({ topic: 'inner' }))
  const mailId = await add(service.mallory, email({ host: 'localhost' }))
  await service.stop()
  const restarted = await service.installation.start()
  onTestFinished(() => void restarted.stop())
  const [calls, mails] = [http.calls.length, mail.mails.length]
  for (const one of [id, mailId]) {
    const answer = await restarted.call('POST', `/contact/${one}/test`, { key: service.mallory })
    expect(await answer.json()).toEqual({
      delivered: false,
      problem: expect.stringMatching(/only a master key may call|AERIE_OUTBOUND_ALLOW/) as string,
    })
  }
  expect([http.calls.length, mail.mails.length]).toEqual([calls, mails])
})
