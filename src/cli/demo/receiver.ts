import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type Clock } from '../../core/clock.ts'
import { signatureOf } from '../../delivery/webhook-signature.ts'

/** Where the demo's alert and webhook go: a server on this machine that prints a line for each message. */
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

/** As docs/webhooks.md asks of every receiver. */
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

/** As much of a `filter-search` notification as its line needs. */
interface AlertNotification {
  readonly data: { readonly tracks: readonly NamedTrack[]; readonly more: number }
}

/** As much of a webhook for `new-tracks` in the format `full`. */
interface TracksNotification {
  readonly detections: readonly NamedTrack[]
}

interface NamedTrack {
  readonly track_id: number
  readonly class_name: string
}

const MAX_NAMED = 8

/** `alert: 3 persons found, tracks 4, 5, 9` */
function alertLine({ data: { tracks, more } }: AlertNotification): string {
  const counts = [...byClass(tracks)].map(([name, ids]) => `${ids.length} ${name}${ids.length === 1 ? '' : 's'}`)
  const rest = more > 0 ? ` and ${more} more` : ''
  return `alert: ${counts.join(', ')}${rest} found, ${tracksOf(tracks.map(({ track_id }) => track_id))}`
}

/** `webhook: new track 7, person` */
function webhookLine({ detections }: TracksNotification): string {
  const parts = [...byClass(detections)].map(([name, ids]) => `new ${tracksOf(ids)}, ${name}`)
  return `webhook: ${parts.join('; ')}`
}

function byClass(tracks: readonly NamedTrack[]): Map<string, number[]> {
  const ids = new Map<string, number[]>()
  for (const { class_name, track_id } of tracks) ids.set(class_name, [...(ids.get(class_name) ?? []), track_id])
  return ids
}

function tracksOf(ids: readonly number[]): string {
  const named = ids.slice(0, MAX_NAMED).join(', ')
  return `${ids.length === 1 ? 'track' : 'tracks'} ${named}${ids.length > MAX_NAMED ? ' …' : ''}`
}
