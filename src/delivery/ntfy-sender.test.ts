import { afterEach, beforeEach, expect, test } from 'vitest'
import { aContact, aJpeg, aLetter, aSending } from '../../test/builders/letters.ts'
import { type BodyReceiver, createBodyReceiver } from '../../test/support/body-receiver.ts'
import { systemClock } from '../core/clock.ts'
import { type NtfyConfig } from '../core/contact.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { resolveByDns } from '../outbound/resolve.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createHttpCaller, type HttpCaller } from './http-call.ts'
import { createNtfySender } from './ntfy-sender.ts'

let server: BodyReceiver
let http: HttpCaller
beforeEach(async () => {
  server = await createBodyReceiver()
  const lookUp = createAddressLookup(createOutboundPolicy(OPERATOR_RULES), () => resolveByDns)
  http = createHttpCaller({ lookUp, answerWithinMs: 400, readWithinMs: 200 })
})
afterEach(async () => {
  await http.close()
  await server.close()
})

const contact = (config: Partial<NtfyConfig> = {}) => aContact('ntfy', { server: server.url, topic: 'yard', ...config })
const send = (config?: Partial<NtfyConfig>, picture?: Buffer) =>
  createNtfySender({ http, clock: systemClock }).send(contact(config), aSending({ picture }))
const decoded = (header: unknown) =>
  Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(String(header))![1]!, 'base64').toString()

test('text is posted, with a title and a link in the headers', async () => {
  await send({ priority: 5 })
  const [{ method, path, headers, body }] = server.calls as [(typeof server.calls)[0]]
  expect({ method, path, text: body.toString() }).toEqual({ method: 'POST', path: '/yard', text: aLetter.text })
  expect(headers).toMatchObject({ click: aLetter.clipUrl, priority: '5' })
  expect(headers.authorization).toBeUndefined()
  expect(decoded(headers['title'])).toBe(aLetter.title)
})

test('a picture is put as it is, with the text in a header', async () => {
  await send({}, aJpeg)
  const [{ method, headers, body }] = server.calls as [(typeof server.calls)[0]]
  expect(method).toBe('PUT')
  expect(body.equals(aJpeg)).toBe(true)
  expect(headers['filename']).toBe('picture.jpg')
  expect(decoded(headers['message'])).toBe(aLetter.text.replace('\n', '\\n'))
})

test.each([400, 413])('a server that keeps no attachments (%i) gets the text', async (status) => {
  server.answerBy(({ method }, response) => void response.writeHead(method === 'PUT' ? status : 200).end())
  await send({}, aJpeg)
  expect(server.calls.map(({ method }) => method)).toEqual(['PUT', 'POST'])
})

test.each<[name: string, config: Partial<NtfyConfig>, authorization: string]>([
  ['a token', { token: 'tk_1' }, 'Bearer tk_1'],
  ['a name and a password', { username: 'u', password: 'p:ü' }, `Basic ${Buffer.from('u:p:ü').toString('base64')}`],
])('%s is sent along', async (_name, config, authorization) => {
  await send(config)
  expect(server.calls[0]!.headers.authorization).toBe(authorization)
})

test.each([
  [401, /refuses the login \(401\)/],
  [403, /refuses the login \(403\)/],
  [429, /no more for now \(429\)/],
  [500, /answered 500/],
  [302, /answered 302/],
])('%i is a failure with a sentence that has nothing of the answer', async (status, sentence) => {
  const headers = { 'retry-after': '7', location: `${server.url}/elsewhere` }
  server.answerBy((_call, response) => void response.writeHead(status, headers).end('what is inside'))
  const error = await send({ token: 'tk_secret' }).catch((failure: Error) => failure)
  expect(error).toMatchObject({ message: expect.stringMatching(sentence), retryAfterMs: 7_000 })
  expect(String(error)).not.toMatch(/inside|tk_secret|yard/)
  // Nothing is followed.
  expect(server.calls).toHaveLength(1)
})

test('a server that says nothing is given up, and one that answers without an end is not read to it', async () => {
  server.answerBy(() => {})
  await expect(send()).rejects.toThrow(/did not answer within/)
  server.answerBy((_call, response) => {
    response.writeHead(200)
    const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), () => setImmediate(more)))
    more()
  })
  await send()
})
