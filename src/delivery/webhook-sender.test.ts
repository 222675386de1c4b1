import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver } from '../../test/support/http-receiver.ts'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../core/clock.ts'
import { type OutboundMessage, type WebhookDestination } from '../core/outbound-message.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { type Resolve } from '../outbound/resolve.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createHttpCaller } from './http-call.ts'
import { type Sender } from './message.ts'
import { createWebhookSender } from './webhook-sender.ts'

const secret = `whsec_${Buffer.from('the secret of this test').toString('base64')}`
let receiver: HttpReceiver
let sender: Sender
/** What names resolve to; each answer is used once, the last for ever. */
let names: Record<string, string[]>
const resolve: Resolve = async (hostname) => {
  const answers = names[hostname] ?? []
  const address = answers.length > 1 ? answers.shift()! : answers[0]
  if (address === undefined) throw new Error('ENOTFOUND')
  return [{ address, family: address.includes(':') ? 6 : 4 }]
}

function createSender(ca?: string): Sender {
  const lookUp = createAddressLookup(createOutboundPolicy({ ...OPERATOR_RULES, deny: ['10.0.0.0/8'] }), () => resolve)
  const times = { answerWithinMs: 400, connectWithinMs: 300, readWithinMs: 200 }
  const http = createHttpCaller({ lookUp, ...times, ...(ca !== undefined && { ca }) })
  const mayLogIn = (authUrl: URL) => authUrl.pathname !== '/elsewhere'
  return createWebhookSender({ http, tokens: createBearerTokens(http, systemClock), mayLogIn, clock: systemClock })
}

beforeEach(async () => {
  names = {}
  receiver = await createHttpReceiver()
  sender = createSender()
})
afterEach(async () => {
  await sender.close()
  await receiver.close()
})

const to = (destination: Partial<WebhookDestination> = {}): OutboundMessage => ({
  id: 'msg_1',
  channel: 'channel',
  accountId: 'account',
  processId: null,
  destination: { kind: 'webhook', url: receiver.url, ...destination },
  body: '{"what":"ümlaut"}',
  createdAtMs: 0,
})

test('a message is posted as JSON with an id, a time and a signature that others can verify', async () => {
  await sender.send(to({ secret }))
  const [call] = receiver.calls
  expect(call).toMatchObject({ path: '/hook', body: '{"what":"ümlaut"}' })
  expect(call!.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'msg_1' })
  const verified = new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>)
  expect(verified).toEqual({ what: 'ümlaut' })
  expect(() => new Webhook(`${secret}AAAA`).verify(call!.body, call!.headers as Record<string, string>)).toThrow()
})

test('without a secret nothing is signed; credentials in the address are sent as Basic', async () => {
  await sender.send(to({ url: receiver.url.replace('//', '//us%40er:p%ss@') }))
  const { headers } = receiver.calls[0]!
  expect(headers['webhook-signature']).toBeUndefined()
  expect(headers.authorization).toBe(`Basic ${Buffer.from('us@er:p%ss').toString('base64')}`)
})

test('connections are used again, also one that was closed meanwhile', async () => {
  for (let i = 0; i < 10; i++) await sender.send(to())
  expect(receiver.connections()).toBe(1)
  const { port } = receiver
  await receiver.close()
  receiver = await createHttpReceiver(undefined, port)
  await sender.send(to())
  expect(receiver.calls).toHaveLength(1)
})

test('what is spaced is never posted twice because a connection was closed', async () => {
  const spaced = { ...to(), spacingMs: 1_000 }
  await sender.send(spaced)
  await sender.send(spaced)
  expect(receiver.connections()).toBe(2)
  receiver.answerBy((_call, response) => void response.destroy())
  await expect(sender.send(spaced)).rejects.toMatchObject({ isUnsent: false })
  expect(receiver.calls).toHaveLength(3)
})

describe('what failed', () => {
  const redirectTo = (location: string) =>
    receiver.answerBy((_call, response) => void response.writeHead(307, { location }).end())
  const closedUrl = async () => {
    const closed = await createHttpReceiver()
    await closed.close()
    return closed.url
  }
  test.each([
    { name: 'nobody listens', isUnsent: true, go: async () => to({ url: await closedUrl() }) },
    { name: 'there is no such host', isUnsent: true, go: async () => to({ url: 'http://nowhere.test/' }) },
    { name: 'the login is away', isUnsent: true, go: async () => to({ authUrl: await closedUrl() }) },
    { name: 'the login fails', isUnsent: true, go: async () => to({ authUrl: receiver.url }) },
    {
      name: 'it was refused',
      isUnsent: false,
      go: async () => (receiver.answerBy((_call, response) => void response.writeHead(500).end()), to()),
    },
    { name: 'there was no answer', isUnsent: false, go: async () => (receiver.answerBy(() => {}), to()) },
    {
      name: 'it was redirected to where nobody listens',
      isUnsent: false,
      go: async () => (redirectTo(await closedUrl()), to()),
    },
  ])('because $name has reached the receiver, or surely not', async ({ go, isUnsent }) => {
    await expect(sender.send(await go())).rejects.toMatchObject({ isUnsent })
  })
})

describe('a receiver that', () => {
  test.each([
    { name: 'answers 500', status: 500, sentence: 'answered 500' },
    { name: 'answers 404', status: 404, sentence: 'refuses it with 404' },
    { name: 'answers 410', status: 410, sentence: 'refuses it with 410' },
    { name: 'redirects to nowhere', status: 302, sentence: 'answered 302' },
  ])('$name has not got it', async ({ status, sentence }) => {
    receiver.answerBy((_call, response) => void response.writeHead(status).end('secrets of the receiver'))
    await expect(sender.send(to())).rejects.toThrow(sentence)
    await expect(sender.send(to())).rejects.not.toThrow('secrets')
  })

  test.each([
    { name: 'seven seconds', header: () => '7', wanted: 7_000 },
    { name: 'a time of day', header: () => new Date(Date.now() + 600_000).toUTCString(), wanted: 600_000 },
  ])('asks for $name is heard', async ({ header, wanted }) => {
    receiver.answerBy((_call, response) => void response.writeHead(503, { 'retry-after': header() }).end())
    const error = await sender.send(to()).catch((reason: { retryAfterMs: number }) => reason)
    const { retryAfterMs } = error as { retryAfterMs: number }
    expect(retryAfterMs).toBeGreaterThan(wanted - 10_000)
    expect(retryAfterMs).toBeLessThanOrEqual(wanted)
  })

  test('never answers is given up', async () => {
    receiver.answerBy(() => {})
    await expect(sender.send(to())).rejects.toThrow('did not answer within 0.4 s')
  })

  test('is not there is reported', async () => {
    await receiver.close()
    await expect(sender.send(to())).rejects.toThrow('could not be reached')
    await expect(sender.send(to({ url: 'http://nowhere.test/' }))).rejects.toThrow('There is no host nowhere.test')
  })

  test('answers with 10 MB has got it, and the rest is not read', async () => {
    let sent = 0
    receiver.answerBy((_call, response) => {
      response.writeHead(200)
      const piece = Buffer.alloc(64 * 1024)
      const more = () => {
        while (sent < 160 && !response.destroyed)
          if ((sent++, !response.write(piece))) return response.once('drain', more)
        return response.end()
      }
      more()
    })
    await sender.send(to())
    await sender.send(to())
    expect(sent).toBeLessThan(320)
    expect(receiver.connections()).toBe(2)
  })

  test('drips its answer has got it, and is not waited for', async () => {
    receiver.answerBy((_call, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    await sender.send(to())
  })
})

describe('redirects', () => {
  const redirect = (location: string, status = 307) =>
    receiver.answerBy(({ path }, response) => {
      if (path === '/hook') response.writeHead(status, { location }).end()
      else response.writeHead(204).end()
    })

  test.each([301, 302, 303, 307, 308])('%s is followed, as a POST with everything', async (status) => {
    redirect('/elsewhere', status)
    await sender.send(to({ secret }))
    expect(receiver.calls[1]).toMatchObject({ path: '/elsewhere', body: receiver.calls[0]!.body })
    new Webhook(secret).verify(receiver.calls[1]!.body, receiver.calls[1]!.headers as Record<string, string>)
  })

  test('credentials stay with the receiver that was named', async () => {
    const other = await createHttpReceiver()
    redirect(other.url)
    await sender.send(to({ url: receiver.url.replace('//', '//user:word@') }))
    expect(receiver.calls[0]!.headers.authorization).toBeDefined()
    expect(other.calls[0]!.headers.authorization).toBeUndefined()
    await other.close()
  })

  test.each([
    { location: 'http://169.254.169.254/latest/meta-data', sentence: '169.254.169.254 may not be called' },
    { location: 'http://[::ffff:169.254.169.254]/', sentence: 'may not be called' },
    { location: 'http://0xa9fea9fe/', sentence: '169.254.169.254 may not be called' },
    { location: 'http://inner.test/', sentence: 'inner.test may not be called' },
    { location: 'file:///etc/passwd', sentence: 'redirects to file:' },
    { location: 'http://[', sentence: 'no URL' },
  ])('one to $location is not', async ({ location, sentence }) => {
    names = { 'inner.test': ['10.1.2.3'] }
    redirect(location)
    await expect(sender.send(to())).rejects.toThrow(sentence)
  })

  test('there may be three', async () => {
    receiver.answerBy((_call, response) => void response.writeHead(307, { location: '/hook' }).end())
    await expect(sender.send(to())).rejects.toThrow('more than 3 times')
    expect(receiver.calls).toHaveLength(4)
  })
})

describe('names', () => {
  test('what is checked is what is dialled: a name that resolves to something else later is checked again', async () => {
    names = { 'hook.test': ['127.0.0.1', '169.254.169.254'] }
    receiver.answerBy((_call, response) => void response.writeHead(204, { connection: 'close' }).end())
    const url = `http://hook.test:${receiver.port}/hook`
    await sender.send(to({ url }))
    expect(receiver.calls[0]!.headers.host).toBe(`hook.test:${receiver.port}`)
    await expect(sender.send(to({ url }))).rejects.toThrow('hook.test may not be called')
    expect(receiver.calls).toHaveLength(1)
  })

  test.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://10.9.8.7/', 'http://0/'])(
    '%s is not called',
    async (url) => {
      await expect(sender.send(to({ url }))).rejects.toThrow('may not be called')
    },
  )
})

test('TLS is verified for the name, though an address is dialled', async () => {
  const { cert, key } = createSelfSigned()
  const server: Server = createServer({ cert, key }, (_request, response) => void response.writeHead(204).end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  names = { localhost: ['127.0.0.1'], 'other.test': ['127.0.0.1'] }
  await expect(sender.send(to({ url: `https://localhost:${port}/` }))).rejects.toThrow('self-signed')
  const trusting = createSender(cert)
  await trusting.send(to({ url: `https://localhost:${port}/` }))
  await expect(trusting.send(to({ url: `https://other.test:${port}/` }))).rejects.toThrow('altnames')
  await trusting.close()
  await new Promise((done) => server.close(done))
})

describe('a login step', () => {
  let logins: number
  beforeEach(() => {
    logins = 0
    receiver.answerBy(({ path, headers }, response) => {
      if (path === '/login') {
        logins += 1
        return void response.end(JSON.stringify({ access_token: `token-${logins}` }))
      }
      const isCurrent = headers.authorization === `Bearer token-${logins}`
      return void response.writeHead(isCurrent ? 204 : 401).end()
    })
  })
  const login = () => to({ authUrl: receiver.url.replace('//', '//me:word@').replace('/hook', '/login') })

  test('fetches a token once for all messages', async () => {
    await Promise.all([sender.send(login()), sender.send(login())])
    await sender.send(login())
    expect(logins).toBe(1)
    expect(receiver.calls[0]).toMatchObject({ path: '/login' })
    expect(receiver.calls[0]!.headers.authorization).toBe(`Basic ${Buffer.from('me:word').toString('base64')}`)
    expect(receiver.calls[1]!.headers.authorization).toBe('Bearer token-1')
  })

  test('is done again after a 401, once', async () => {
    await sender.send(login())
    logins += 1
    await sender.send(login())
    expect(logins).toBe(3)
    receiver.answerBy(({ path }, response) =>
      path === '/login' ? void response.end('{"token":"other"}') : void response.writeHead(401).end(),
    )
    await expect(sender.send(login())).rejects.toThrow('refuses it with 401')
  })

  test.each([
    { answer: 'not JSON', sentence: 'JSON with an access_token' },
    { answer: '{"token":"two\\nlines"}', sentence: 'JSON with an access_token' },
    { answer: 'null', sentence: 'JSON with an access_token' },
  ])('that answers $answer fails', async ({ answer, sentence }) => {
    receiver.answerBy((_call, response) => void response.end(answer))
    await expect(sender.send(login())).rejects.toThrow(sentence)
  })

  test('at a forbidden address is not taken', async () => {
    await expect(sender.send(to({ authUrl: 'http://169.254.169.254/' }))).rejects.toThrow('may not be called')
    expect(receiver.calls).toHaveLength(0)
  })
})

test('an attempt that is given up ends the call', async () => {
  const ending = new AbortController()
  receiver.answerBy(() => {})
  const sent = sender.send(to(), ending.signal)
  await until(async () => receiver.calls.length === 1)
  ending.abort()
  await expect(sent).rejects.toThrow('abort')
})

test('a receiver that wants to speak another protocol has not taken the message', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await expect(sender.send(to({ url: `http://127.0.0.1:${port}/` }))).rejects.toThrow('without an answer')
  await new Promise((done) => server.close(done))
})

test('a login that is not allowed for this receiver is not made, whenever it was registered', async () => {
  const authUrl = receiver.url.replace('/hook', '/elsewhere')
  await expect(sender.send(to({ authUrl }))).rejects.toThrow('AERIE_AUTH_ORIGINS')
  expect(receiver.calls).toEqual([])
})
