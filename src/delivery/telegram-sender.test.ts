import { afterEach, beforeEach, expect, test } from 'vitest'
import { aContact, aJpeg, aLetter, aSending } from '../../test/builders/letters.ts'
import { type BodyReceiver, createBodyReceiver } from '../../test/support/body-receiver.ts'
import { systemClock } from '../core/clock.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { resolveByDns } from '../outbound/resolve.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createHttpCaller, type HttpCaller } from './http-call.ts'
import { type Sending } from './letter-sender.ts'
import { createTelegramSender } from './telegram-sender.ts'

const TOKEN = `123:${'A'.repeat(35)}`
let server: BodyReceiver
let http: HttpCaller
beforeEach(async () => {
  server = await createBodyReceiver()
  http = createHttpCaller({ lookUp: createAddressLookup(createOutboundPolicy(OPERATOR_RULES), () => resolveByDns) })
})
afterEach(async () => {
  await http.close()
  await server.close()
})

const send = (change: Partial<Sending> = {}) => {
  const contact = aContact('telegram', { bot_token: TOKEN, chat_id: '-1001', api_url: server.url })
  return createTelegramSender({ http, clock: systemClock }).send(contact, aSending(change))
}

test('text goes into the chat, and Telegram does not open its links', async () => {
  await send()
  const [{ path, body }] = server.calls as [(typeof server.calls)[0]]
  expect(path).toBe(`/bot${TOKEN}/sendMessage`)
  expect(JSON.parse(body.toString())).toEqual({
    chat_id: '-1001',
    text: `${aLetter.title}\n${aLetter.text}\n${aLetter.clipUrl}`,
    link_preview_options: { is_disabled: true },
  })
})

test('a picture goes with the text below it', async () => {
  await send({ picture: aJpeg })
  const [{ path, headers, body }] = server.calls as [(typeof server.calls)[0]]
  expect(path).toBe(`/bot${TOKEN}/sendPhoto`)
  const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData()
  expect(form.get('chat_id')).toBe('-1001')
  expect((form.get('caption') as string).replaceAll('\r\n', '\n')).toContain(aLetter.text)
  const photo = form.get('photo') as File
  expect({ name: photo.name, type: photo.type }).toEqual({ name: 'picture.jpg', type: 'image/jpeg' })
  expect(Buffer.from(await photo.arrayBuffer()).equals(aJpeg)).toBe(true)
})

test('a text that is too long for a caption is cut, and its link is whole', async () => {
  await send({ letter: { ...aLetter, text: 'x'.repeat(1_000) } })
  const { text } = JSON.parse(server.calls[0]!.body.toString())
  expect(text.length).toBe(1024)
  expect(text.endsWith(`…\n${aLetter.clipUrl}`)).toBe(true)
})

test.each([
  [401, /does not know the bot/],
  [404, /does not know the bot/],
  [400, /look at chat_id/],
  [403, /does not let the bot write/],
  [429, /no more for now/],
  [500, /answered 500/],
])('%i is a failure with a sentence that has neither the token nor the answer', async (status, sentence) => {
  const answer = { ok: false, description: 'inside', parameters: { retry_after: 17 } }
  server.answerBy((_call, response) => void response.writeHead(status).end(JSON.stringify(answer)))
  const error = await send().catch((failure: Error) => failure)
  expect(error).toMatchObject({ message: expect.stringMatching(sentence), retryAfterMs: 17_000 })
  expect(String(error)).not.toMatch(/inside|AAAA/)
})
