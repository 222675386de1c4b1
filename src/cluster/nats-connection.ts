import { type ConnectionOptions, type NatsConnection, PermissionViolationError, type Status } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { parseNatsUrl } from '../core/nats-address.ts'
import { backoffMs } from '../core/retry.ts'
import { shortened } from '../core/sentences.ts'
import { type Log } from '../observe/log.ts'
import { createIdentity } from './nats-identity.ts'
import { createNatsOutageLog } from './nats-outage-log.ts'
import { createPermissionLog } from './permission-log.ts'

export interface NatsOptions {
  /** One address or several by commas; see `parseNatsUrl`. */
  readonly url: string
  /** A `.creds` file, or the seed of an nkey. */
  readonly credentialsFile?: string | undefined
  /** For TLS: whom we trust beside the system's authorities, and our own certificate. */
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string } | undefined
  /** Shown where NATS lists its clients. */
  readonly name: string
}

export interface NatsConnectionDeps {
  readonly log: Log
  readonly clock: Clock
  /** The client's connection, which reconnects by itself; another one only where that had to give up. */
  readonly onOpen: (connection: NatsConnection) => void
  readonly onUp: () => void
  readonly onDown: () => void
}

const RECONNECT = { firstMs: 100, maxMs: 5_000 }
const DIAL_WITHIN_MS = 5_000
/** A server that answers no ping for so long is given up: sooner than tunnels are. */
const PING = { pingInterval: 2_000, maxPingOut: 2 }
/** A connection that lasts for less is part of the outage. */
const CALM_MS = 1_000
const FLUSH_WITHIN_MS = 2_000
const MAX_REASON_LENGTH = 300
/** What nodes send to each other: a server lets a megabyte through unless it was told otherwise. */
const MIN_PAYLOAD_BYTES = 64 * 1024

/** Begins to connect at once, and goes on for ever; returns how to end it. Throws when the address is none. */
export function keepConnected(options: NatsOptions, deps: NatsConnectionDeps): () => Promise<void> {
  const { log, clock } = deps
  const address = parseNatsUrl(options.url)
  const outages = createNatsOutageLog(log, () => clock.steady())
  const permissions = createPermissionLog(log, () => clock.steady())
  const closing = new AbortController()
  let connection: NatsConnection | undefined
  /** Aborted when it is over. */
  let up: AbortController | undefined
  let reason = ''
  let credentialsProblem: string | undefined
  let failures = 0

  const note = (text: string) => void (reason = shortened(text, MAX_REASON_LENGTH))

  const clientOptions = (): ConnectionOptions => ({
    servers: [...address.servers],
    name: options.name,
    authenticator: createIdentity(address, options.credentialsFile, (problem) => (credentialsProblem = problem)),
    ...((address.isTlsRequired || options.tls) && { tls: { ...options.tls } }),
    timeout: DIAL_WITHIN_MS,
    ...PING,
    maxReconnectAttempts: -1,
    // Refused today, welcome tomorrow: rights are given and renewed while we run.
    ignoreAuthErrorAbort: true,
    // Up to a quarter more, or all nodes would come at once.
    reconnectDelayHandler: () => backoffMs(failures, RECONNECT) * (1 + Math.random() / 4),
    noAsyncTraces: true,
  })

  async function stayConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        connection = await connect(clientOptions())
        if (closing.signal.aborted) return void (await connection.close())
        deps.onOpen(connection)
        onUp()
        for await (const status of connection.status()) onStatus(status)
        const why = await connection.closed()
        if (why) note(why.message)
      } catch (error) {
        note((error as Error).message)
      }
      onDown()
      failures += 1
      await clock.sleep(backoffMs(failures, RECONNECT), closing.signal)
    }
  }

  function onStatus(status: Status): void {
    if (status.type === 'reconnect') onUp()
    else if (status.type === 'reconnecting') failures += 1
    else if (status.type === 'disconnect') onDown()
    else if (status.type === 'staleConnection') note('it answers no pings.')
    else if (status.type === 'error') onError(status.error)
  }

  function onError(error: Error): void {
    if (error instanceof PermissionViolationError) permissions.onViolation(error)
    else note(error.message)
  }

  function onUp(): void {
    if (up) return
    const { max_payload: maxBytes = MIN_PAYLOAD_BYTES } = connection!.info ?? {}
    if (maxBytes < MIN_PAYLOAD_BYTES)
      log.error(`NATS takes messages of ${maxBytes} bytes at most; set its max_payload to ${MIN_PAYLOAD_BYTES} or more`)
    const lasting = (up = new AbortController())
    const sinceMs = clock.steady()
    deps.onUp()
    void clock.sleep(CALM_MS, lasting.signal).then(() => {
      if (lasting.signal.aborted) return
      failures = 0
      reason = ''
      outages.onBack(sinceMs)
    })
  }

  function onDown(): void {
    if (!closing.signal.aborted) outages.onAway(credentialsProblem || reason || 'the connection was closed.')
    if (!up) return
    up.abort()
    up = undefined
    deps.onDown()
  }

  void stayConnected()
  return async () => {
    closing.abort()
    // What was published last is on its way: ends of tunnels, and that this node leaves.
    if (up && connection)
      await isSettledWithin(
        connection.flush().catch(() => {}),
        FLUSH_WITHIN_MS,
        clock,
      )
    onDown()
    await connection?.close()
  }
}
