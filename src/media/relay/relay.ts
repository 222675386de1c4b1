import { type Clock } from '../../core/clock.ts'
import { unlessAborted } from '../../core/deadline.ts'
import { createDeferred, type Deferred } from '../../core/deferred.ts'
import { type Hub } from '../hub.ts'
import { type RelayRoute } from '../messages.ts'
import { type ProtocolLog } from '../protocol-server.ts'
import { MediaRefusal } from '../refusal.ts'
import { type ReadRelay, type RelayEnd } from './relay-reading.ts'

/** A path that is live on another node: relayed while somebody reads it here, and for a while longer. */
export interface Relay {
  /** Resolves when it is live here; rejects with a `MediaRefusal` that says why it is not. */
  waitUntilLive(): Promise<void>
  /** The hub has it now, read by us or pushed to us; or has it no more. */
  setLive(isLive: boolean): void
  /** It is not there any more: whoever reads it here is ended. */
  close(): void
}

export interface RelayDeps {
  readonly path: string
  readonly hub: Pick<Hub, 'relay' | 'end' | 'readerCount' | 'isPublished'>
  /** How to get it; `failure` says why the way that was named before leads nowhere. Never rejects. */
  readonly route: (path: string, failure?: string) => Promise<RelayRoute>
  readonly read: ReadRelay
  readonly log: ProtocolLog
  readonly clock: Clock
}

/** Players are reloaded, segments are fetched one by one. */
const LINGER_MS = 10_000
const CHECK_EVERY_MS = 1_000
/** Less than what our own workers wait for an answer, and more than a camera takes that the other node calls first. */
const MAX_CONNECT_MS = 24_000
/** The node ends a publisher that is silent for 10 s, so it is the node that is silent. */
const SILENCE_MS = 15_000
/** Somebody who asks again and again does not make us dial as often. */
const MIN_CALL_INTERVAL_MS = 1_000

const UNREACHABLE = 'It is live on another node, which cannot be reached now; try again in a moment.'
const TOO_LATE: RelayRoute = { kind: 'none', sentence: UNREACHABLE }

/** The node itself was not reached, as far as is known: it can be asked to send the stream. */
function mayBePushed(end: RelayEnd | undefined): end is RelayEnd {
  return end?.kind === 'unreachable' || (end?.kind === 'refused' && end.isDoubtful)
}

export function createRelay({ path, hub, route, read, log, clock }: RelayDeps): Relay {
  const closing = new AbortController()
  const waiting = new Set<Deferred<void>>()
  let isLive = false
  let isConnecting = false
  let neededAt = -Infinity
  let failure: { readonly refusal: MediaRefusal; readonly at: number } | undefined
  /** Ends the wait of whoever brings it here. */
  let onLive: () => void = () => {}
  /** Ends the wait of whoever looks after its readers. */
  let onGone: () => void = () => {}

  async function connect(): Promise<void> {
    isConnecting = true
    const connecting = new AbortController()
    const signal = AbortSignal.any([closing.signal, connecting.signal])
    void clock.sleep(MAX_CONNECT_MS, signal).then(() => connecting.abort())
    const refusal = await bringHere(signal)
    connecting.abort()
    isConnecting = false
    if (isLive || closing.signal.aborted) return
    // Its publisher has come here meanwhile.
    if (hub.isPublished(path)) settle((one) => one.resolve())
    else fail(refusal ?? new MediaRefusal('unavailable', UNREACHABLE))
  }

  /** Resolves when it is live, or as soon as it is known that it will not be. */
  async function bringHere(signal: AbortSignal): Promise<MediaRefusal | undefined> {
    let way = await routeWithin(signal)
    let refusal: MediaRefusal | undefined
    if (way.kind === 'pull') {
      const end = await pull(way.url, signal)
      if (end?.kind === 'refused') ({ refusal } = end)
      if (signal.aborted || !mayBePushed(end)) return refusal
      way = await routeWithin(signal, end.sentence)
    }
    if (way.kind === 'none') return refusal ?? new MediaRefusal('unavailable', way.sentence)
    if (way.kind === 'pull') return refusal
    await untilLive(signal)
    return undefined
  }

  function routeWithin(signal: AbortSignal, unreachable?: string): Promise<RelayRoute> {
    return unlessAborted(route(path, unreachable), signal).catch((): RelayRoute => TOO_LATE)
  }

  /** Resolves when it is live, or with how the reading has ended before; once it is live the reading goes on by itself. */
  function pull(url: string, signal: AbortSignal): Promise<RelayEnd | undefined> {
    const leaving = new AbortController()
    const giveUp = () => isLive || leaving.abort()
    signal.addEventListener('abort', giveUp, { once: true })
    const reading = read({
      url,
      take: () => hub.relay(path),
      silenceMs: SILENCE_MS,
      signal: AbortSignal.any([closing.signal, leaving.signal]),
    })
    void reading.then(({ sentence }) => log.info({ path, why: sentence }, 'The relay of a stream has ended.'))
    return Promise.race([reading, untilLive(signal).then(() => (isLive ? undefined : reading))])
  }

  function untilLive(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      onLive = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (isLive || signal.aborted) resolve()
    })
  }

  function fail(refusal: MediaRefusal): void {
    failure = { refusal, at: clock.steady() }
    log.warn({ path, why: refusal.message }, 'A stream of another node could not be relayed.')
    settle((one) => one.reject(refusal))
  }

  function settle(how: (one: Deferred<void>) => void): void {
    waiting.forEach(how)
    waiting.clear()
  }

  async function leaveWhenUnread(): Promise<void> {
    const over = new AbortController()
    onGone = () => over.abort()
    while (!over.signal.aborted) {
      if (hub.readerCount(path) > 0) neededAt = clock.steady()
      if (clock.steady() - neededAt >= LINGER_MS) return hub.end(path, 'unread')
      await clock.sleep(CHECK_EVERY_MS, over.signal)
    }
  }

  return {
    waitUntilLive() {
      neededAt = clock.steady()
      if (isLive) return Promise.resolve()
      const isTooSoon = !isConnecting && failure && clock.steady() - failure.at < MIN_CALL_INTERVAL_MS
      if (failure && isTooSoon) return Promise.reject(failure.refusal)
      const one = createDeferred()
      waiting.add(one)
      if (!isConnecting) void connect()
      return one.promise
    },
    setLive(is) {
      isLive = is
      onGone()
      if (!is) return
      failure = undefined
      onLive()
      settle((one) => one.resolve())
      void leaveWhenUnread()
    },
    close() {
      closing.abort()
      settle((one) => one.reject(new MediaRefusal('not-live', `Nothing is being published to ${path} now; try again.`)))
      if (isLive) hub.end(path, 'taken-over')
    },
  }
}
