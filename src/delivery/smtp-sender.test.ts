import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { aContact, aJpeg, aLetter, aSending } from '../../test/builders/letters.ts'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { type EmailConfig } from '../core/contact.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { OPERATOR_RULES, type OutboundRules } from '../outbound/rules.ts'
import { createAddressLookup } from './address-lookup.ts'
import { type Sending } from './letter-sender.ts'
import { NotDelivered } from './message.ts'
import { createSmtpSender } from './smtp-sender.ts'

const tls = createSelfSigned()
const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

interface Mail {
  readonly from: string
  readonly to: string[]
  readonly user: string | undefined
  readonly isEncrypted: boolean
  readonly raw: string
}

/** A real mail server, for the user `guard`. */
async function createMailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    ...tls,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'guard' && password === 'right') return done(null, { user: username })
      done(new Error('what is inside'))
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('nobody') ? new Error('what is inside') : null)
    },
    onData(stream, { envelope, user, secure }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [from, to] = [
          envelope.mailFrom ? envelope.mailFrom.address : '',
          envelope.rcptTo.map(({ address }) => address),
        ]
        mails.push({ from, to, user: user as string, isEncrypted: secure, raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const { port } = await listening(server.listen(0, '127.0.0.1'))
  closings.push(() => new Promise((resolve) => void server.close(() => resolve())))
  return { port, mails }
}

async function listening(server: Server): Promise<AddressInfo> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return server.address() as AddressInfo
}

/** Whatever speaks there. */
async function createRawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  const { port } = await listening(server.listen(0, '127.0.0.1'))
  closings.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return port
}

interface Trial {
  readonly config: Partial<EmailConfig> & { readonly port: number }
  readonly sending?: Partial<Sending>
  readonly ca?: string | undefined
  readonly rules?: Partial<OutboundRules>
}

async function send({ config, sending, ca = tls.cert, rules }: Trial): Promise<string | null> {
  const policy = createOutboundPolicy({ ...OPERATOR_RULES, ...rules })
  const lookUp = createAddressLookup(policy, () => async () => [{ address: '127.0.0.1', family: 4 }])
  const sender = createSmtpSender({ lookUp, connectWithinMs: 500, answerWithinMs: 500, ca })
  const contact = aContact('email', {
    host: 'localhost',
    security: 'tls',
    from: 'aerie@example.org',
    to: ['a@example.org', 'b@example.org'],
    ...config,
  })
  return sender.send(contact, aSending(sending))
}
const failureOf = (trial: Trial) =>
  send(trial).then(
    () => undefined,
    (error: Error) => error,
  )

const login = { username: 'guard', password: 'right' }

test.each<[EmailConfig['security'], SMTPServerOptions, boolean]>([
  ['tls', { secure: true }, true],
  ['starttls', {}, true],
  ['none', { hideSTARTTLS: true, allowInsecureAuth: true }, false],
])('by %s a mail arrives, for the one that is logged in', async (security, options, isEncrypted) => {
  const { port, mails } = await createMailServer(options)
  await send({ config: { port, security, ...login } })
  expect(mails).toMatchObject([
    { from: 'aerie@example.org', to: ['a@example.org', 'b@example.org'], user: 'guard', isEncrypted },
  ])
})

test('a mail has title, text, links and picture, and an id that stays', async () => {
  const { port, mails } = await createMailServer({ secure: true })
  for (const id of ['m1', 'm1', 'm2']) await send({ config: { port }, sending: { id, picture: aJpeg } })
  const { raw, user } = mails[0]!
  const header = (name: string) => new RegExp(`^${name}: (.*(?:\\r\\n .*)*)`, 'mi').exec(raw)![1]!
  const words = [...header('Subject').matchAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi)]
  const subject = words.map(
    ([, coding, text]) =>
    coding === 'B' ? Buffer.from(text!, 'base64') : Buffer.from(text!.replaceAll('_', ' ').replace(/=(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1'), // prettier-ignore
  )
  expect(Buffer.concat(subject).toString()).toBe(aLetter.title)
  expect(header('Auto-Submitted')).toBe('auto-generated')
  expect(raw.replaceAll(/=\r\n/g, '')).toContain(aLetter.clipUrl)
  expect(raw.replaceAll('\r\n', '')).toContain(aJpeg.toString('base64'))
  expect(raw).toMatch(/filename="?picture\.jpg/)
  expect(user).toBeUndefined()
  const ids = mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail.raw)![1])
  expect(ids[0]).toBe(ids[1])
  expect(ids[2]).not.toBe(ids[0])
})

test('some of several are refused: the others have it, once, and it is said who does not', async () => {
  const { port, mails } = await createMailServer({ secure: true })
  const to = ['nobody1@example.org', 'a@example.org', 'nobody2@example.org']
  expect(await send({ config: { port, to } })).toBe(
    'localhost refuses nobody1@example.org (550), nobody2@example.org (550); the others have it.',
  )
  expect(mails.map((mail) => mail.to)).toEqual([['a@example.org']])
  expect(await send({ config: { port } })).toBeNull()
})

test('what stands in a letter makes no headers, and nothing is fetched or read for it', async () => {
  const { port, mails } = await createMailServer({ secure: true })
  const letter = {
    ...aLetter,
    title: 'a\r\nBcc: c@example.org\r\n\r\nbody',
    text: '.\r\nMAIL FROM:<x@y>\r\n\r\nfile:///etc/passwd',
  }
  await send({ config: { port }, sending: { letter } })
  const [head] = mails[0]!.raw.split('\r\n\r\n')
  expect(head).not.toMatch(/^Bcc/im)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.to).toEqual(['a@example.org', 'b@example.org'])
  await failureOf({ config: { port, to: ['a@example.org\r\nRCPT TO:<c@example.org>'] } })
  const recipients = mails.flatMap(({ to }) => to)
  expect(recipients).not.toContain('c@example.org')
})

describe('what fails has a sentence, without a word of the server and without the password', () => {
  test.each<[name: string, options: SMTPServerOptions, trial: Omit<Trial, 'config'> & { config?: Partial<EmailConfig> }, sentence: RegExp]>([
    ['a wrong password', { secure: true }, { config: { ...login, password: 'wrong-password' } }, /refuses the login \(535\); look at username/],
    ['a server without logins', { secure: true, authOptional: true, disabledCommands: ['AUTH'] }, { config: login }, /refuses the login/],
    ['an address that there is not', { secure: true }, { config: { to: ['nobody@example.org'] } }, /refuses nobody@example\.org \(550\); look at to/],
    ['a sender that it does not take', { secure: true, onMailFrom: (_from, _session, done) => done(new Error('what is inside')) }, {}, /refuses the sender \(550\); look at from/],
    ['a certificate that nobody knows', { secure: true }, { ca: '' }, /certificate is not trusted.*NODE_EXTRA_CA_CERTS/],
    ['a certificate of another host', { secure: true }, { config: { host: 'mail.example.org' } }, /certificate is not trusted.*by a name that is in it/],
    ['no encryption where STARTTLS is asked for', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }, { config: { security: 'starttls', ...login } }, /offers no encryption by STARTTLS/],
    ['no TLS where it is asked for', {}, { config: { security: 'tls' } }, /does not speak TLS; check the port/],
    ['an address that may not be called', { secure: true }, { rules: { mayCallThisMachine: false } }, /only a master key may call/],
  ])('%s', async (_name, options, { config, ...trial }, sentence) => {
    const { port, mails } = await createMailServer(options)
    const error = await failureOf({ config: { port, ...config }, ...trial, ...(trial.ca === '' && { ca: createSelfSigned('other').cert }) })
    expect(error).toBeInstanceOf(NotDelivered)
    expect(error!.message).toMatch(sentence)
    expect(`${error!.message} ${inspect(error)}`).not.toMatch(/inside|wrong-password|right/)
    expect(mails).toEqual([])
  }) // prettier-ignore

  test('nobody listens', async () => {
    const { port } = await createMailServer()
    await closings.pop()!()
    expect((await failureOf({ config: { port } }))!.message).toMatch(/Connection refused/)
  })

  test('a server that says nothing', async () => {
    const port = await createRawServer(() => {})
    expect((await failureOf({ config: { port, security: 'none' } }))!.message).toMatch(/timed out|does not speak SMTP/)
  })

  test('a server that answers without an end', async () => {
    const port = await createRawServer((socket) => {
      const more = () => void (socket.destroyed || socket.write(Buffer.alloc(65_536, 'x'), () => setImmediate(more)))
      more()
    })
    expect(await failureOf({ config: { port, security: 'none' } })).toBeInstanceOf(NotDelivered)
  })

  test('a server that speaks another language', async () => {
    const port = await createRawServer((socket) => void socket.write('HTTP/1.1 400 what is inside\r\n\r\n'))
    const error = await failureOf({ config: { port, security: 'none' } })
    expect(error!.message).not.toMatch(/inside/)
  })

  test('it is given up when nobody waits any more', async () => {
    const port = await createRawServer(() => {})
    const leaving = new AbortController()
    const failing = failureOf({ config: { port, security: 'none' }, sending: { signal: leaving.signal } })
    leaving.abort(new Error('nobody waits'))
    expect(await failing).toBeInstanceOf(Error)
  })
})
