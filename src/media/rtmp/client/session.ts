import { type Duplex } from 'node:stream'
import { type AmfObject } from '../wire/amf0.ts'
import { type Calls, createCalls } from './calls.ts'
import { answerChallenge, wrongCredentials } from './challenge.ts'
import { type ConnectionOptions, greet, type RtmpClientConnection } from './connection.ts'
import { openSocket, type SocketOptions } from './open-socket.ts'
import { OUTBOX_LIMITS, type OutboxLimits } from './outbox.ts'
import { withPlainLogin } from './plain-login.ts'
import { type RtmpAddress } from './rtmp-address.ts'
import { RtmpRefusal } from './server-sentence.ts'

/** A connection whose server has accepted `connect`. */
export interface RtmpClientSession {
  readonly connection: RtmpClientConnection
  readonly calls: Calls
}

export interface RtmpTimeouts {
  /** For TCP and TLS. */
  readonly connectMs: number
  /** For the handshake, and for the answer to each command. */
  readonly answerMs: number
}

/** What those who publish and those who play may ask for alike. */
export interface RtmpClientOptions {
  /** The address that was checked and is dialled, whatever the URL's host resolves to by now; and what to trust there. */
  readonly connect: Pick<SocketOptions, 'host' | 'ca'>
  readonly timeouts?: Partial<RtmpTimeouts>
  readonly limits?: Partial<OutboxLimits>
  /** Breaks the opening off; what is open is closed by `close`. */
  readonly signal?: AbortSignal
}

export type SessionOptions = Omit<RtmpClientOptions, 'connect'> & Pick<ConnectionOptions, 'slice'>

/** What a client connects for. */
export interface RtmpClientRole<T> extends Pick<ConnectionOptions, 'incomingLimits'> {
  /** What `connect` says of us, beside the application. */
  readonly introduction: AmfObject
  /** Once the server has accepted `connect`. */
  start(session: RtmpClientSession, address: RtmpAddress): Promise<T>
}

const TIMEOUTS: RtmpTimeouts = { connectMs: 5_000, answerMs: 5_000 }
/** One to be asked for the user, one to be asked for the password, and one to be let in. */
const MAX_CONNECTIONS = 3

/** Connects, to the application too, and starts; with user and password where the server asks for them. Rejects with a sentence. */
export async function openSession<T>(
  address: RtmpAddress,
  role: RtmpClientRole<T>,
  options: SessionOptions & Pick<RtmpClientOptions, 'connect'>,
): Promise<T> {
  const { connect, signal } = options
  const withinMs = options.timeouts?.connectMs ?? TIMEOUTS.connectMs
  let said = address
  for (let connections = 1; ; connections++) {
    const socket = await openSocket(address, { ...connect, withinMs, signal })
    try {
      return await beginSession(socket, said, role, options)
    } catch (error) {
      const next = error instanceof RtmpRefusal ? withCredentials(address, error, said === address) : undefined
      if (!next) throw error
      if (connections === MAX_CONNECTIONS) throw wrongCredentials(address.label)
      said = next
    }
  }
}

/** The address as the next connection says it; undefined when credentials would not help. Who asks by a challenge gets no password. */
function withCredentials(address: RtmpAddress, refusal: RtmpRefusal, isFirst: boolean): RtmpAddress | undefined {
  const proof = answerChallenge(address, refusal.description)
  if (proof !== undefined) return { ...address, app: address.app + proof, tcUrl: address.tcUrl + proof }
  return isFirst ? withPlainLogin(address, refusal) : undefined
}

/** On a connection that stands already. */
export async function beginSession<T>(
  socket: Duplex,
  address: RtmpAddress,
  role: RtmpClientRole<T>,
  options: SessionOptions,
): Promise<T> {
  const { app, tcUrl, label, secrets } = address
  const { introduction, incomingLimits } = role
  const { timeouts, limits, slice, signal } = options
  const { answerMs } = { ...TIMEOUTS, ...timeouts }
  const onAbort = () => void socket.destroy()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const connection = await greet(socket, {
      label,
      answerMs,
      limits: { ...OUTBOX_LIMITS, ...limits },
      incomingLimits,
      slice,
    })
    const calls = createCalls({ connection, label, secrets })
    await calls.call('connect', { ...introduction, app, tcUrl })
    return await role.start({ connection, calls }, address)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
