/** People are notified by their own channels: no more often than they want, and of the rest by one sum; also after a kill. */
import { type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BodyReceiver, createBodyReceiver, type ReceivedBody } from '../support/body-receiver.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Contact {
  readonly contact_uuid: string
  readonly status: { readonly held: number; readonly last_sent_at: string | null; readonly problem: string | null }
}

let rig: ProcessRig
let webhooks: HttpReceiver
let ntfy: BodyReceiver
let mailServer: SMTPServer
const mails: string[] = []
let ids: { mail: string; ntfy: string }
let processId: string

beforeAll(async () => {
  ;[rig, webhooks, ntfy] = await Promise.all([createProcessRig(), createHttpReceiver(), createBodyReceiver()])
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  const server = mailServer.listen(0, '127.0.0.1')
  await until(async () => server.listening)
  const { port } = server.address() as AddressInfo
  const addresses = { from: 'aerie@example.org', to: ['guard@example.org'] }
  const [mail, phone] = await Promise.all([
    add({ alias: 'mail', type: 'email', config: { host: '127.0.0.1', port, security: 'none', ...addresses } }),
    add({ alias: 'phone', type: 'ntfy', config: { server: ntfy.url, topic: 'yard' }, max_per_minute: 1 }),
  ])
  ids = { mail: mail.contact_uuid, ntfy: phone.contact_uuid }
  const output = [
    { type: 'webhook', config: { url: webhooks.url } },
    ...Object.values(ids).map((contact_uuid) => ({ type: 'contact', config: { contact_uuid } })),
  ]
  const trigger = { for_seconds: 0, cooldown_seconds: 0 }
  await rig.ask('POST', '/alert', { body: { alias: 'somebody', type: 'filter-search', trigger, output } })
  const { sourceId } = await rig.goLive('yard')
  processId = (await rig.start(sourceId)).process_uuid
})
afterAll(async () => {
  await rig.remove()
  await Promise.all([webhooks.close(), ntfy.close(), new Promise<void>((resolve) => void mailServer.close(resolve))])
})

const add = (body: object) => rig.ask<Contact>('POST', '/contact', { body })
const contactOf = (id: string) => rig.ask<Contact>('GET', `/contact/${id}`)
const decoded = (header: unknown) => Buffer.from(/\?B\?(.*)\?=/.exec(String(header))![1]!, 'base64').toString()
const titleOf = ({ headers }: ReceivedBody) => decoded(headers['title'])
const sumsOf = (calls: readonly ReceivedBody[]) =>
  calls.flatMap((call) => /^(\d+) more since \d\d:\d\d$/.exec(titleOf(call))?.slice(1).map(Number) ?? [])
/** What arrives twice leads to the same event. */
const lettersOf = (calls: readonly ReceivedBody[]) =>
  new Set(calls.filter((call) => titleOf(call).startsWith('somebody')).map(({ headers }) => eventOf(headers['click'])))
const eventOf = (link: unknown) => /alert_event\/([^/]+)/.exec(String(link))?.[1]
const eventsToWebhook = () =>
  new Set(webhooks.calls.map(({ body }) => (JSON.parse(body) as { event_uuid: string }).event_uuid))

test('a mail and a message say what was seen, and lead to it', async () => {
  await until(async () => mails.length > 0 && ntfy.calls.length > 0, 100_000)
  expect(mails[0]).toMatch(/^Subject: .*somebody/im)
  expect(mails[0]).toMatch(/\/alert_event\//)
  const [first] = ntfy.calls as [ReceivedBody]
  expect(titleOf(first)).toBe('somebody · yard')
  expect(eventOf(first.headers['click'])).toBeDefined()
  const { status } = await contactOf(ids.mail)
  expect(status).toMatchObject({ problem: null, last_sent_at: expect.any(String) as string })
})

test('what is too much is held back and summed up with the right number, also after a kill', async () => {
  await until(async () => (await contactOf(ids.ntfy)).status.held > 0, 60_000)
  await rig.service.stop('SIGKILL')
  await rig.restart()
  await until(async () => sumsOf(ntfy.calls).length > 0, 100_000)
  await rig.ask('DELETE', `/process/${processId}`)
  const isAllThere = async () => {
    const { held } = (await contactOf(ids.ntfy)).status
    const told = lettersOf(ntfy.calls).size + sumsOf(ntfy.calls).reduce((sum, count) => sum + count, 0)
    return held === 0 && told === eventsToWebhook().size
  }
  await until(isAllThere, 110_000)
  expect(await isAllThere()).toBe(true)
}, 280_000)
