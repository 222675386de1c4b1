import { type NatsConnection, type Subscription } from '@nats-io/nats-core'
import { type Clock, systemClock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { keepConnected, type NatsOptions } from './nats-connection.ts'
import { RequestFailed, requestFailureOf } from './request-failed.ts'
import { createUnconfirmedBytes } from './unconfirmed-bytes.ts'

export interface NatsMessage {
  readonly subject: string
  readonly data: Uint8Array
  /** False when nobody asked, or the answer could not be sent. */
  readonly respond: (data: Uint8Array) => boolean
}

export type OnMessage = (message: NatsMessage) => void

/** Messages between nodes: what may be lost. Nothing is kept while NATS is away. */
export interface NatsBus {
  readonly isConnected: boolean
  /** False when it was not sent: NATS is away, or does not keep up. Nothing waits here for its turn. */
  publish(subject: string, data: Uint8Array): boolean
  /** Resolves when who can wait should publish again; undefined when it need not wait. */
  whenRoom(): Promise<void> | undefined
  /**
   * `onMessage` is called for one message after the other, and holds up all others until it returns: who must wait for something keeps a
   * bounded queue. Goes on after every outage until it is ended, by the function that is returned.
   */
  subscribe(subject: string, onMessage: OnMessage): () => void
  /** Rejects with `RequestFailed`, at once when NATS is away or nobody listens. */
  request(subject: string, data: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array>
  /** Calls at each change, until the function that is returned is called. */
  onConnection(listener: (isConnected: boolean) => void): () => void
  close(): Promise<void>
}

interface Registration {
  readonly subject: string
  readonly onMessage: OnMessage
  current: Subscription | undefined
}

/** Begins to connect at once, and reconnects for ever: it may be made before there is a server. */
export function createNatsBus(options: NatsOptions, deps: { readonly log: Log; readonly clock?: Clock }): NatsBus {
  const { log, clock = systemClock } = deps
  const registrations = new Set<Registration>()
  const listeners = new Set<(isConnected: boolean) => void>()
  const unconfirmed = createUnconfirmedBytes(() => connection!.flush())
  let connection: NatsConnection | undefined
  let isConnected = false

  function onChange(isUp: boolean): void {
    isConnected = isUp
    if (isUp) unconfirmed.open()
    else unconfirmed.shut()
    for (const listener of listeners) listener(isUp)
  }

  const disconnect = keepConnected(options, {
    log,
    clock,
    onOpen(opened) {
      connection = opened
      for (const registration of registrations) listen(registration)
    },
    onUp: () => onChange(true),
    onDown: () => onChange(false),
  })

  function listen(registration: Registration): void {
    registration.current = connection!.subscribe(registration.subject, {
      callback(error, { subject, data, reply }) {
        // We have no right to it, which is in the log by now.
        if (error) return
        try {
          const respond = (answer: Uint8Array) => Boolean(reply) && publish(reply!, answer)
          registration.onMessage({ subject, data, respond })
        } catch (failure) {
          // Thrown into the client, it would end its reading.
          log.error({ err: failure, subject }, 'a message of another node could not be handled')
        }
      },
    })
  }

  /** Of a server that takes less than we need `keepConnected` has spoken. */
  const isTooLarge = (data: Uint8Array) => data.length > (connection?.info?.max_payload ?? Infinity)

  function publish(subject: string, data: Uint8Array): boolean {
    if (isTooLarge(data)) return false
    if (connection?.isClosed() || !unconfirmed.add(data.length)) return false
    connection!.publish(subject, data)
    return true
  }

  return {
    get isConnected() {
      return isConnected
    },
    publish,
    whenRoom: () => unconfirmed.whenRoom(),
    subscribe(subject, onMessage) {
      const registration: Registration = { subject, onMessage, current: undefined }
      registrations.add(registration)
      if (connection && !connection.isClosed()) listen(registration)
      return () => {
        registrations.delete(registration)
        registration.current?.unsubscribe()
      }
    },
    async request(subject, data, { timeoutMs }) {
      if (isTooLarge(data)) throw new RequestFailed('too-large')
      if (connection?.isClosed() || !unconfirmed.add(data.length)) throw new RequestFailed('away')
      try {
        return (await connection!.request(subject, data, { timeout: timeoutMs })).data
      } catch (error) {
        throw requestFailureOf(error)
      }
    },
    onConnection(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: disconnect,
  }
}
