/** People are notified by their own channels: with the picture of what was seen, no more often than they want, and of the rest by one sum; also after a kill. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BodyReceiver, createBodyReceiver, type ReceivedBody } from '../support/body-receiver.ts'
import { decodedJpeg } from '../support/decoded-jpeg.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createMailServer, type MailServer, pictureOfMail } from '../support/mail-server.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Contact {
  readonly contact_uuid: string
  readonly status: { readonly held: number; readonly last_sent_at: string | null; readonly problem: string | null }
}

let rig: ProcessRig
let webhooks: HttpReceiver
let ntfy: BodyReceiver
let telegram: BodyReceiver
let mailServer: MailServer
let ids: { mail: string; ntfy: string; telegram: string }
let processId: string

beforeAll(async () => {
  ;[rig, webhooks] = await Promise.all([createProcessRig(), createHttpReceiver()])
  ;[ntfy, telegram, mailServer] = await Promise.all([createBodyReceiver(), createBodyReceiver(), createMailServer()])
  const { port } = mailServer
  const addresses = { from: 'aerie@example.org', to: ['guard@example.org'] }
  const bot = { bot_token: `123456:${'A'.repeat(35)}`, chat_id: '-1001', api_url: telegram.url }
  const [mail, phone, chat] = await Promise.all([
    add({ alias: 'mail', type: 'email', config: { host: '127.0.0.1', port, security: 'none', ...addresses } }),
    add({ alias: 'phone', type: 'ntfy', config: { server: ntfy.url, topic: 'yard' }, max_per_minute: 1 }),
    add({ alias: 'chat', type: 'telegram', config: bot }),
  ])
  ids = { mail: mail.contact_uuid, ntfy: phone.contact_uuid, telegram: chat.contact_uuid }
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
  await Promise.all([webhooks, ntfy, telegram, mailServer].map((server) => server.close()))
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

/** Where the test can reach it. */
const here = (url: string) => `${rig.service.url}${new URL(url).pathname}${new URL(url).search}`
const linkIn = (text: string) => /https?:\/\/\S+\/picture\.jpg\?token=\S+/.exec(text)![0]

test('a mail says what was seen, shows it, and leads to the same picture', async () => {
  await until(async () => mailServer.mails.length > 0, 100_000)
  const [{ raw }] = mailServer.mails as [MailServer['mails'][0]]
  expect(raw).toMatch(/^Subject: .*somebody/im)
  const picture = pictureOfMail(raw)!
  expect(await decodedJpeg(picture)).toMatchObject({ width: 640, height: 480 })
  // Quoted-printable breaks long lines.
  const linked = await fetch(here(linkIn(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))))
  expect([linked.status, linked.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(Buffer.from(await linked.arrayBuffer()).equals(picture)).toBe(true)
  await until(async () => (await contactOf(ids.mail)).status.last_sent_at !== null)
  expect((await contactOf(ids.mail)).status.problem).toBeNull()
})

test('ntfy and Telegram show what was seen', async () => {
  await until(async () => ntfy.calls.length > 0 && telegram.calls.length > 0, 100_000)
  const [first] = ntfy.calls as [ReceivedBody]
  expect([first.method, titleOf(first)]).toEqual(['PUT', 'somebody · yard'])
  expect(await decodedJpeg(first.body)).toMatchObject({ width: 640, height: 480 })
  expect(eventOf(first.headers['click'])).toBeDefined()
  const [{ path, headers, body }] = telegram.calls as [ReceivedBody]
  expect(path).toMatch(/\/sendPhoto$/)
  const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData()
  expect(form.get('caption')).toMatch(/^somebody · yard/)
  const photo = Buffer.from(await (form.get('photo') as File).arrayBuffer())
  expect(await decodedJpeg(photo)).toMatchObject({ width: 640, height: 480 })
})

test('a one-off alert holds the contact that it notifies', async () => {
  const { contact_uuid } = await add({ alias: 'spare', type: 'ntfy', config: { server: ntfy.url, topic: 'spare' } })
  const output = [{ type: 'contact', config: { contact_uuid } }]
  const body = { alias: 'once', type: 'filter-search', filter: { classes: ['cow'] }, output }
  const { uuid } = await rig.ask<{ uuid: string }>('POST', `/alert/${processId}`, { body })
  const refusal = await rig.service.call('DELETE', `/contact/${contact_uuid}`)
  expect(await refusal.json()).toMatchObject({
    code: 'contact-in-use',
    detail: expect.stringMatching(/once/) as string,
  })
  await rig.ask('DELETE', `/alert/${uuid}`)
  await rig.ask('DELETE', `/contact/${contact_uuid}`)
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
