import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type Clock } from '../../core/clock.ts'
import { signatureOf } from '../../delivery/webhook-signature.ts'
import { type AlertNotification, alertLine, type TracksNotification, webhookLine } from './notification-lines.ts'

/** Where the demo's alert and webhook go: a server on this machine that says in a line what it is told. */
export interface Receiver {
  readonly alertUrl: string
  readonly webhookUrl: string
  /** What webhooks are signed with; until it is known they are refused, and come again. */
  expectSecret(secret: string): void
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** Where it listened before, or 0. Another is taken when that is in use. */
  readonly port: number
  readonly say: (line: string) => void
  readonly clock: Clock
}

const ALERT_PATH = '/aerie-demo/alert'
export const WEBHOOK_PATH = '/aerie-demo/new-tracks'
const MAX_BYTES = 1 << 20
/** What waited while the demo was off comes all at once: of each kind one line in this time is enough. */
const LINE_EVERY_MS = 1_000
/** Standard Webhooks: older or newer ones may have been overheard and sent again. */
const MAX_SECONDS_OFF = 300

export async function openReceiver({ port, say, clock }: ReceiverOptions): Promise<Receiver> {
  let secret: string | undefined
  const saidAtMs = new Map<string, number>()

  function sayNowAndThen(path: string, line: string): void {
    if (clock.steady() - (saidAtMs.get(path) ?? -Infinity) < LINE_EVERY_MS) return
    saidAtMs.set(path, clock.steady())
    say(line)
  }

  /** The status of the answer. */
  async function take(request: IncomingMessage): Promise<number> {
    const body = await read(request)
    if (body === undefined) return 413
    if (request.url === ALERT_PATH) sayNowAndThen(ALERT_PATH, alertLine(JSON.parse(body) as AlertNotification))
    else if (request.url !== WEBHOOK_PATH) return 404
    else if (secret === undefined || !isGenuine(request, body, secret, clock.now())) return 401
    else sayNowAndThen(WEBHOOK_PATH, webhookLine(JSON.parse(body) as TracksNotification))
    return 204
  }

  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    )
  })
  const listen = (on: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(on, '127.0.0.1', () => resolve())
    })
  await listen(port).catch(() => listen(0))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    alertUrl: origin + ALERT_PATH,
    webhookUrl: origin + WEBHOOK_PATH,
    expectSecret: (given) => void (secret = given),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** As docs/webhooks.md tells every receiver to do. */
function isGenuine({ headers }: IncomingMessage, body: string, secret: string, nowMs: number): boolean {
  const id = String(headers['webhook-id'])
  const timestampSeconds = Number(headers['webhook-timestamp'])
  if (!(Math.abs(nowMs / 1000 - timestampSeconds) < MAX_SECONDS_OFF)) return false
  const wanted = Buffer.from(signatureOf({ id, timestampSeconds, body }, secret))
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted))
}

/** Undefined when it is too long. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
