import { type Clock, checkEvery, systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { once } from '../../core/once.ts'
import { createSharedPlaces } from '../../core/shared-places.ts'
import { type TunnelClient, type TunnelSocket } from '../../core/tunnel.ts'
import { type Log } from '../../observe/log.ts'
import { createRefusalLog } from '../../observe/refusal-log.ts'
import { type NatsBus, type NatsMessage } from '../nats-bus.ts'
import { nodeSubject } from '../subjects.ts'
import {
  type ConnectMessage,
  encodeAccept,
  encodeConnect,
  encodeRefusal,
  newTunnelId,
  readAnswer,
  readConnect,
  type RefusalReason,
  saltOf,
} from './handshake.ts'
import { createSeal, deriveKeys } from './seal.ts'
import { TunnelStream } from './tunnel-stream.ts'
import { createWindowBudget } from './window-budget.ts'

export interface TunnelsDeps {
  readonly bus: Pick<NatsBus, 'publish' | 'whenRoom' | 'subscribe' | 'request'>
  readonly nodeId: string
  /** Of the service: all its nodes have the same one, and nobody else has it. */
  readonly secret: string
  readonly log: Pick<Log, 'warn'>
  readonly clock?: Pick<Clock, 'steady'>
  /** For what is sent to us faster than it is read, over all tunnels together; beside that each has its first window. */
  readonly maxWindowBytes?: number
}

/** Byte streams between nodes, by way of NATS: nodes that can only dial out are reached too. */
export interface Tunnels {
  /** Rejects with `node-unreachable`: at once when NATS is away or nobody is there, and otherwise within some seconds. */
  openTunnel(nodeId: string, client: TunnelClient): Promise<TunnelSocket>
  /** Takes what other nodes open, until the function that is returned is called. */
  acceptTunnels(onTunnel: (tunnel: TunnelSocket) => void): () => void
  /** Ends all tunnels. */
  close(): void
}

const OPEN_WITHIN_MS = 3_000
const RETRY_AFTER_SECONDS = 2
/** Each holds its first window of bytes, and what it has of the budget. */
const MAX_OPENED = 1_000
const MAX_ACCEPTED = 1_000
/** A hundred and thirty tunnels have their largest window at once. */
const MAX_WINDOWS_BYTES = 64 * 1024 * 1024
const CHECK_MS = 1_000
/** In ten seconds: one node that is gone may end hundreds of tunnels. */
const MAX_LINES = 5

export function createTunnels(deps: TunnelsDeps): Tunnels {
  const { bus, nodeId, secret, log, clock = systemClock, maxWindowBytes = MAX_WINDOWS_BYTES } = deps
  const now = () => clock.steady()
  const streams = new Map<string, TunnelStream>()
  /** Opened by others, and not one valid frame has come: it is not known yet who they are. */
  const unconfirmed = new Set<TunnelStream>()
  const places = createSharedPlaces(MAX_ACCEPTED)
  const budget = createWindowBudget(maxWindowBytes)
  const troubles = createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, now, MAX_LINES)
  let opened = 0
  let onTunnel: ((tunnel: TunnelSocket) => void) | undefined

  function add(role: 'opener' | 'acceptor', ours: string, theirs: string, node: string, client: TunnelClient) {
    const subject = nodeSubject(node, 'tunnel', theirs)
    const salt = role === 'opener' ? saltOf(ours, theirs) : saltOf(theirs, ours)
    const stream = new TunnelStream(client, createSeal(deriveKeys(secret, salt, role)), {
      publish: (message) => bus.publish(subject, message),
      whenRoom: () => bus.whenRoom(),
      now,
      budget,
    })
    streams.set(ours, stream)
    stream.once('close', () => {
      streams.delete(ours)
      unconfirmed.delete(stream)
    })
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      // A client that has left, or a handler that has ended it.
      if (code !== 'ECONNRESET') troubles.note({ node, reason: message }, 'a connection to another node broke')
    })
    return stream
  }

  const stopFrames = bus.subscribe(nodeSubject(nodeId, 'tunnel', '*'), ({ subject, data }) => {
    const stream = streams.get(subject.slice(subject.lastIndexOf('.') + 1))
    // A tunnel that is no more: who still sends to it will hear nothing of it.
    if (!stream?.receive(data) || !unconfirmed.delete(stream) || stream.destroyed) return
    if (onTunnel) onTunnel(stream)
    else stream.destroy()
  })

  function answerConnect({ data, respond }: NatsMessage): void {
    const message = readConnect(secret, nodeId, data)
    if (typeof message === 'string') return refuse(respond, message, {})
    const leave = onTunnel ? places.take(message.from) : undefined
    if (!leave) return refuse(respond, onTunnel ? 'full' : 'closed', { node: message.from })
    accept(message, respond, leave)
  }

  function accept(message: ConnectMessage, respond: NatsMessage['respond'], leave: () => void): void {
    const { from, tunnel: theirs, address, encrypted } = message
    const ours = newTunnelId()
    const stream = add('acceptor', ours, theirs, from, { address, isEncrypted: encrypted })
    stream.once('close', leave)
    unconfirmed.add(stream)
    if (!respond(encodeAccept(secret, theirs, ours))) stream.destroy()
  }

  function refuse(respond: NatsMessage['respond'], reason: RefusalReason, about: object): void {
    troubles.note({ ...about, reason }, 'a connection from another node was refused')
    respond(encodeRefusal(reason))
  }

  function unreachable(node: string, cause: Error): AppError {
    troubles.note({ node, reason: cause.message }, 'another node cannot be reached')
    const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
    return new AppError('node-unreachable', { node, retry_after_seconds: RETRY_AFTER_SECONDS }, options)
  }

  async function open(node: string, client: TunnelClient, onClose: () => void): Promise<TunnelSocket> {
    const ours = newTunnelId()
    const connect = encodeConnect(secret, { from: nodeId, to: node, tunnel: ours, client })
    const subject = nodeSubject(node, 'connect')
    const answer = await bus.request(subject, connect, { timeoutMs: OPEN_WITHIN_MS })
    const stream = add('opener', ours, readAnswer(secret, ours, answer), node, client)
    stream.once('close', onClose)
    // By this the other end knows that it is us: until then it hands nothing on.
    stream.sendHeartbeat()
    return stream
  }

  const stopChecks = checkEvery(CHECK_MS, now, (nowMs) => {
    for (const stream of streams.values()) stream.check(nowMs)
  })
  let stopConnects = () => {}

  return {
    async openTunnel(node, client) {
      if (opened >= MAX_OPENED) throw unreachable(node, new Error('too many connections to other nodes are open here.'))
      opened += 1
      const leave = once(() => void (opened -= 1))
      try {
        return await open(node, client, leave)
      } catch (error) {
        leave()
        throw unreachable(node, error as Error)
      }
    },
    acceptTunnels(handler) {
      onTunnel = handler
      stopConnects = bus.subscribe(nodeSubject(nodeId, 'connect'), answerConnect)
      return () => {
        stopConnects()
        onTunnel = undefined
      }
    },
    close() {
      stopChecks()
      stopConnects()
      stopFrames()
      for (const stream of streams.values()) stream.destroy()
    },
  }
}
