import { type Allowance, createAllowance } from './allowance.ts'
import { createClientQueue } from './client-queue.ts'
import { type Clock, systemClock } from './clock.ts'

/** What is needed of a websocket. */
export interface RawSocket {
  send(text: string, done: (error?: Error | null) => void): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  /** Stops reading. */
  pause(): void
  on(event: 'pong' | 'close', handler: () => void): unknown
  on(event: 'message', handler: (data: Buffer) => void): unknown
}

/** A websocket that sends texts to a client at the client's own speed, and notices when it is gone. */
export interface TextSocket {
  push(text: string): void
  /** Closes it once everything has left. */
  end(reason: string): void
  onClose(handler: () => void): void
}

/** A client that has not answered for this long is gone: its place is free again. */
const HEARTBEAT_MS = 15_000

/** What a client sends us; drones send up to 60 messages a second, and bridges what they have stored. */
const INCOMING = { burst: 2_000, perSecond: 300 }
/** A longer message counts as several. */
const BYTES_PER_MESSAGE = 1_000
const TOO_MANY = `More than ${INCOMING.perSecond} messages a second, or as many kB, came for a while; send less, then connect again.`
/** For the reason to arrive: a client that never stops sending need not get it. */
const REFUSED_TIMEOUT_MS = 1_000

export interface TextSocketOptions {
  readonly onText?: (data: Buffer) => void
  /** Kept by those who know a client beyond its connection: otherwise it would only have to come again. */
  readonly incoming?: Allowance
}

export const createIncoming = (clock: Clock): Allowance => createAllowance(INCOMING, clock)

export function serveTexts(
  socket: RawSocket,
  { onText, incoming = createIncoming(systemClock) }: TextSocketOptions = {},
): TextSocket {
  const queue = createClientQueue({
    send: (text) => new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve()))),
  })
  let isAlive = true
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, HEARTBEAT_MS)
  let isRefused = false
  /** Whatever comes costs work, also where nobody listens to it. Answers whether it is to be read. */
  const receive = (bytes: number): boolean => {
    if (isRefused || incoming.take(Math.max(1, bytes / BYTES_PER_MESSAGE))) return !isRefused
    isRefused = true
    // 1008: a policy is violated (RFC 6455 §7.4.1).
    socket.close(1008, TOO_MANY)
    socket.pause()
    setTimeout(() => socket.terminate(), REFUSED_TIMEOUT_MS).unref()
    return false
  }
  socket.on('message', (data) => void (receive(data.length) && onText?.(data)))
  // How many control frames may come is the caller's decision.
  socket.on('pong', () => (isAlive = true))
  socket.on('close', () => {
    clearInterval(heartbeat)
    void queue.finish()
  })
  return {
    push: (text) => queue.push(text),
    end: (reason) => void queue.finish().then(() => socket.close(1000, reason)),
    onClose: (handler) => void socket.on('close', handler),
  }
}
