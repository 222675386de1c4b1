import { type AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly raw: string
}

/** A real SMTP server on this machine, without encryption, that keeps what it takes. */
export interface MailServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** In the place of taking each mail at once. */
  answerBy(answer: (mail: ReceivedMail, take: () => void) => void): void
  close(): Promise<void>
}

export async function createMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let answering: Parameters<MailServer['answerBy']>[0] = (_mail, take) => take()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const mail = { to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() }
        answering(mail, () => {
          mails.push(mail)
          done()
        })
      })
    },
    ...options,
  })
  // Of connections that break off, as clients may.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  if (!listener.listening) await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as AddressInfo
  return {
    port,
    mails,
    answerBy: (answer) => void (answering = answer),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

/** The picture that is attached to a mail (RFC 2045 §6.8), if there is one. */
export function pictureOfMail(raw: string): Buffer | undefined {
  const part = /^Content-Type: image\/jpeg[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/im.exec(raw)
  return part ? Buffer.from(part[1]!, 'base64') : undefined
}
