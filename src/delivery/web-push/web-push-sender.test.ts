import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import ece from 'http_ece'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aContact, aLetter, aSending } from '../../../test/builders/letters.ts'
import { createSelfSigned } from '../../../test/builders/self-signed.ts'
import { type BodyReceiver, createBodyReceiver } from '../../../test/support/body-receiver.ts'
import { systemClock } from '../../core/clock.ts'
import { createOutboundPolicy } from '../../outbound/policy.ts'
import { OPERATOR_RULES } from '../../outbound/rules.ts'
import { createAddressLookup } from '../address-lookup.ts'
import { createHttpCaller, type HttpCaller } from '../http-call.ts'
import { type Sending } from '../letter-sender.ts'
import { createVapid } from './vapid.ts'
import { createWebPushSender } from './web-push-sender.ts'

const tls = createSelfSigned()
const vapid = createVapid('the secret of this test', () => 'mailto:admin@localhost')
let service: BodyReceiver
let http: HttpCaller
let removed: string[]
beforeEach(async () => {
  service = await createBodyReceiver(tls)
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const lookUp = createAddressLookup(createOutboundPolicy(OPERATOR_RULES), () => resolve)
  http = createHttpCaller({ lookUp, ca: tls.cert })
  removed = []
})
afterEach(async () => {
  await http.close()
  await service.close()
})

function aBrowser(id: string) {
  const ecdh = createECDH('prime256v1')
  const auth = randomBytes(16)
  const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: auth.toString('base64url') }
  const read = (message: Buffer) =>
    JSON.parse(ece.decrypt(message, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }).toString())
  return { device: { id, endpoint: `${service.url}/push/${id}`, keys }, read }
}

const send = (browsers: readonly ReturnType<typeof aBrowser>[], change: Partial<Sending> = {}) => {
  const contacts = { removeDevice: async (id: string) => void removed.push(id) }
  const contact = aContact('webpush', {}, { devices: browsers.map(({ device }) => device) })
  return createWebPushSender({ http, contacts, vapid, clock: systemClock }).send(contact, aSending(change))
}

test('a browser can read what is pushed, and its service who pushes', async () => {
  const browser = aBrowser('a')
  await send([browser])
  const [{ path, headers, body }] = service.calls as [(typeof service.calls)[0]]
  expect(path).toBe('/push/a')
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
  expect(browser.read(body)).toEqual({
    title: aLetter.title,
    text: aLetter.text,
    image: aLetter.pictureUrl,
    url: aLetter.clipUrl,
    tag: 'event',
  })
  const [, head, claims, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(
    headers.authorization!,
  )!
  expect(key).toBe(vapid.publicKey)
  const point = Buffer.from(key!, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } })
  const signed = Buffer.from(`${head}.${claims}`)
  const isOurs = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  )
  expect(isOurs).toBe(true)
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  expect({ aud, sub }).toEqual({ aud: service.url, sub: 'mailto:admin@localhost' })
  expect(exp - Date.now() / 1000).toBeGreaterThan(43_100)
  expect(exp - Date.now() / 1000).toBeLessThan(86_400)
})

test('the key follows from the secret', () => {
  expect(createVapid('the secret of this test', () => '').publicKey).toBe(vapid.publicKey)
  expect(createVapid('another', () => '').publicKey).not.toBe(vapid.publicKey)
  for (let n = 0; n < 300; n++)
    expect(Buffer.from(createVapid(`secret ${n}`, () => '').publicKey, 'base64url')).toHaveLength(65)
})

test.each([404, 410])('a browser that is gone (%i) is removed, and the others have it', async (status) => {
  const [gone, there] = [aBrowser('gone'), aBrowser('there')]
  service.answerBy(({ path }, response) => void response.writeHead(path.endsWith('gone') ? status : 201).end())
  await send([gone, there])
  expect(removed).toEqual(['gone'])
  await expect(send([gone])).rejects.toThrow(/No browser is registered/)
})

test('what one has is not sent again because of another; what nobody has is', async () => {
  const [one, other] = [aBrowser('one'), aBrowser('other')]
  const wait = { 'retry-after': '30' }
  service.answerBy(
    ({ path }, response) => void response.writeHead(path.endsWith('one') ? 429 : 201, wait).end('inside'),
  )
  expect(await send([one, other])).toMatch(/^1 of 2 browsers do not have it: \S+ answered 429\.$/)
  await expect(send([one])).rejects.toMatchObject({
    message: expect.not.stringMatching(/inside|push/),
    retryAfterMs: 30_000,
  })
  expect(removed).toEqual([])
})

test('without any browser it is said what to do', async () => {
  await expect(send([])).rejects.toThrow(/open the page Contacts/)
})

test('a letter that is too large goes without its links', async () => {
  const browser = aBrowser('a')
  await send([browser], { letter: { ...aLetter, pictureUrl: `https://aerie/${'x'.repeat(4_000)}` } })
  const [{ body }] = service.calls as [(typeof service.calls)[0]]
  expect(body.length).toBeLessThanOrEqual(4_096)
  expect(browser.read(body)).toMatchObject({ title: aLetter.title, image: null, url: null })
})
