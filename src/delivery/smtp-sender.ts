import { connect, type LookupFunction, type Socket } from 'node:net'
import { type Contact, type EmailConfig } from '../core/contact.ts'
import { sha256Of } from '../core/digest.ts'
import { withoutBrackets } from '../core/ip-address.ts'
import { type Letter } from '../core/letter.ts'
import { asSentence } from '../core/sentences.ts'
import { connectionFailure, connectionFailureKind } from '../outbound/connection-failure.ts'
import { type AddressLookup } from './address-lookup.ts'
import { type LetterSender, type Sending } from './letter-sender.ts'
import { NotDelivered } from './message.ts'

export interface SmtpSenderDeps {
  readonly lookUp: AddressLookup
  readonly connectWithinMs?: number
  readonly answerWithinMs?: number
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string | undefined
}

/** Of one answer; servers send a few lines. */
const MAX_ANSWER_BYTES = 64 << 10

/**
 * Sends letters by SMTP, each over a connection of its own. The addresses that were checked are the ones that are dialled, and
 * nothing that stands in a letter is fetched or read from a file.
 */
export function createSmtpSender(deps: SmtpSenderDeps): LetterSender<'email'> {
  const { connectWithinMs = 10_000, answerWithinMs = 10_000, ca } = deps

  return {
    async send(contact, sending) {
      const { host, port, security, username, password } = contact.config
      // Only who sends mail needs it.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(username !== undefined && { auth: { user: username, pass: password ?? '' }, forceAuth: true }),
        ...(ca !== undefined && { tls: { ca } }),
        connectionTimeout: connectWithinMs,
        greetingTimeout: answerWithinMs,
        socketTimeout: answerWithinMs,
        maxResponseSize: MAX_ANSWER_BYTES,
        disableFileAccess: true,
        disableUrlAccess: true,
        getSocket(_options, done) {
          dial(contact, deps.lookUp, connectWithinMs, sending.signal).then(
            (connection) => done(null, { connection }),
            (error: Error) => done(error, undefined),
          )
        },
      })
      try {
        const { rejectedErrors = [] } = await transport.sendMail(toMail(contact.config, sending))
        return rejectedErrors.length > 0 ? `${refusalOf(rejectedErrors, host)}; the others have it.` : null
      } catch (error) {
        throw toNotDelivered(error as SmtpError, contact.config)
      } finally {
        transport.close()
      }
    },
  }
}

async function dial(
  { accountId, config }: Contact & { readonly type: 'email' },
  lookUp: AddressLookup,
  withinMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const host = withoutBrackets(config.host)
  const addresses = await lookUp(host, accountId)
  signal.throwIfAborted()
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [...addresses]) : done(null, addresses[0]!.address, addresses[0]!.family)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: config.port, lookup, autoSelectFamily: true })
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
      withinMs,
    )
    const abort = () => void socket.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    socket.once('connect', () => {
      settle()
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
    socket.once('close', settle)
  })
}

const mailbox = (address: string) => ({ name: '', address })

/** The same message has the same id however often it is sent, by which mail programs know it again. */
function toMail({ from, to }: EmailConfig, { id, letter, picture, signal }: Sending) {
  return {
    // Not as text, which would be parsed: a list in it would be more people.
    from: mailbox(from),
    to: to.map(mailbox),
    subject: letter.title,
    text: textOf(letter),
    messageId: `<${sha256Of(id).slice(0, 32)}@aerie>`,
    // RFC 3834 §5: nobody's absence is announced to us.
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(picture && { attachments: [{ filename: 'picture.jpg', content: picture, contentType: 'image/jpeg' }] }),
    signal,
  }
}

function textOf({ text, clipUrl, pictureUrl }: Letter): string {
  const links = [clipUrl && `Video: ${clipUrl}`, pictureUrl && `Picture: ${pictureUrl}`].filter(Boolean)
  return [text, ...links].join('\n\n')
}

interface SmtpError extends Error {
  readonly code?: string
  /** Of the system or of TLS, where nodemailer has put one of its own over it. */
  readonly originalCode?: string
  /** After which it was answered. */
  readonly command?: string
  readonly responseCode?: number
  /** Of one address. */
  readonly recipient?: string
  /** Where all were refused, each. */
  readonly rejectedErrors?: readonly SmtpError[]
}

function refusalOf(refused: readonly SmtpError[], host: string): string {
  const addresses = refused.map(({ recipient, responseCode }) => `${recipient} (${responseCode})`)
  return `${host} refuses ${addresses.join(', ')}`
}

/** What a server says may repeat what it was told, the password too; causes go into logs. */
function withoutWords({ name, code, originalCode, command, responseCode }: SmtpError): Error {
  return new Error([name, originalCode ?? code, command, responseCode].filter((part) => part !== undefined).join(' '))
}

/** With the number that the server answered, and never with its words: they may be of a service that the user may not see. */
function toNotDelivered(error: SmtpError, { host, port }: EmailConfig): Error {
  if (error instanceof NotDelivered) return error
  const { code, responseCode, rejectedErrors } = error
  const answer = responseCode === undefined ? '' : ` (${responseCode})`
  const say = (sentence: string) => new NotDelivered(sentence, { cause: withoutWords(error) })
  if (code === 'EAUTH') return say(`${host} refuses the login${answer}; look at username and password.`)
  if (code === 'EENVELOPE' && rejectedErrors) return say(`${refusalOf(rejectedErrors, host)}; look at to.`)
  if (code === 'EENVELOPE') return say(`${host} refuses the sender${answer}; look at from.`)
  if (code === 'EMESSAGE') return say(`${host} does not take the message${answer}.`)
  if (code === 'EABORT') return error
  const real = { code: error.originalCode ?? code, message: error.message }
  const kind = connectionFailureKind(real)
  if (code === 'ETLS' && kind === 'other')
    return say(`${host}:${port} offers no encryption by STARTTLS; look at port and security.`)
  if (responseCode !== undefined) return say(`${host} answered ${responseCode}.`)
  return say(
    kind === 'other'
      ? `${host}:${port} does not speak SMTP as it should.`
      : asSentence(`${host}:${port}: ${connectionFailure(real)}`),
  )
}
