import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { AppError } from '../core/errors.ts'
import { type NodeExchange, type RequestTopic, type Topic } from '../core/node-exchange.ts'
import { type NodeId } from '../core/node.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { type NatsBus, type NatsMessage } from './nats-bus.ts'
import { openMessage, SALT_BYTES, sealMessage } from './sealed-message.ts'
import { createSenderCounts } from './sender-counts.ts'
import { nodeSubject, SERVICE_SUBJECT } from './subjects.ts'

/** Messages between nodes by way of NATS, that only nodes can read and make. */
export interface Exchange extends NodeExchange {
  close(): void
}

export interface ExchangeDeps {
  readonly bus: Pick<NatsBus, 'publish' | 'subscribe' | 'request' | 'onConnection'>
  readonly node: OwnNode
  /** Of the service: all its nodes have the same one, and nobody else has it. */
  readonly secret: string
  readonly clock: Pick<Clock, 'now' | 'steady'>
  readonly log: Log
}

const DEFAULT_TIMEOUT_MS = 10_000
/** As far as the clocks of two nodes may be apart; what is older was recorded by somebody. */
const MAX_AGE_MS = 60_000
/** What is older is refused for its age, also by a clock that is behind. */
const REMEMBER_MS = 2 * MAX_AGE_MS
const MAX_CONCURRENT_REQUESTS = 500
/** In the time in which one could come again; far more than nodes make. */
const MAX_REMEMBERED = 100_000
const RETRY_AFTER_SECONDS = 2

const Envelope = z.object({
  from: z.string().min(1).max(255),
  at: z.number(),
  message: z.unknown(),
  /** Of what goes to all. */
  number: z.object({ epoch: z.number().int(), count: z.number().int() }).optional(),
})
const Reply = z.union([z.object({ message: z.unknown() }), z.object({ failure: z.string().max(2_000) })])

export function createExchange({ bus, node, secret, clock, log }: ExchangeDeps): Exchange {
  const { id: nodeId, epoch } = node
  const unsubscribes: (() => void)[] = []
  const troubles = createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, () => clock.steady())
  /** Requests that were handled, by their salt, and when: one that comes again was recorded by somebody. */
  const handled = new Map<string, number>()
  let underWay = 0
  /** By topic, how much was published since this node joined. */
  const published = new Map<string, number>()

  const envelope = (message: unknown) => ({ from: nodeId, at: clock.now(), message })
  function numbered(topic: string, message: unknown) {
    const count = (published.get(topic) ?? 0) + 1
    published.set(topic, count)
    return { ...envelope(message), number: { epoch, count } }
  }

  /** From whom, and what; undefined for what is not from a node, or fits no schema that we know. */
  function read<Message>(subject: string, data: Uint8Array, { name, schema }: Topic<Message>) {
    const { data: opened } = Envelope.safeParse(openMessage(secret, subject, data))
    if (!opened) return note(name, 'it is of nobody who knows the secret of this service')
    const { from, at, message, number } = opened
    if (Math.abs(clock.now() - at) > MAX_AGE_MS)
      return note(name, `the clock of ${from} is off by ${Math.round((clock.now() - at) / 1000)} s: set it by NTP`)
    const { data: known } = schema.safeParse(message)
    if (known === undefined) return note(name, `${from} sent what this version does not know`)
    return { from, message: known, number }
  }

  function note(topic: string, reason: string): undefined {
    troubles.note({ topic, reason }, 'a message between nodes is ignored')
  }

  function unreachable(node: NodeId, cause: Error): AppError {
    troubles.note({ node, reason: cause.message }, 'another node does not answer')
    const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
    return new AppError('node-unreachable', { node, retry_after_seconds: RETRY_AFTER_SECONDS }, options)
  }

  /** False for one that was there before. */
  function isFirst(sealed: Uint8Array): boolean {
    for (const [salt, atMs] of handled) {
      if (clock.steady() - atMs <= REMEMBER_MS) break
      handled.delete(salt)
    }
    const salt = saltOf(sealed)
    if (handled.has(salt)) return false
    handled.set(salt, clock.steady())
    dropOldest(handled, MAX_REMEMBERED)
    return true
  }

  async function respondTo<Request, Response>(
    { subject, data, respond }: NatsMessage,
    topic: RequestTopic<Request, Response>,
    handler: (request: Request, from: NodeId) => Promise<Response>,
  ): Promise<void> {
    const received = read(subject, data, topic)
    if (!received) return
    if (!isFirst(data))
      return note(topic.name, `it was handled before, and sent again by somebody else than ${received.from}`)
    const purpose = replyPurpose(data)
    const reply = (content: z.input<typeof Reply>) => respond(sealMessage(secret, purpose, content))
    if (underWay >= MAX_CONCURRENT_REQUESTS) return void reply({ failure: 'it is busy' })
    underWay += 1
    try {
      const message = await handler(received.message, received.from)
      if (!reply({ message })) reply({ failure: 'what it answered is too large for NATS.' })
    } catch (error) {
      log.warn({ err: error, topic: topic.name, node: received.from }, 'a request of another node failed')
      reply({ failure: (error as Error).message })
    } finally {
      underWay -= 1
    }
  }

  return {
    publish({ name }, message) {
      const subject = broadcastSubject(name)
      bus.publish(subject, sealMessage(secret, subject, numbered(name, message)))
    },
    subscribe(topic, listener, onLoss = () => {}) {
      const counts = createSenderCounts(REMEMBER_MS, () => clock.steady())
      const unsubscribe = bus.subscribe(broadcastSubject(topic.name), ({ subject, data }) => {
        const received = read(subject, data, topic)
        if (!received || received.from === nodeId) return
        const { from, message, number } = received
        const place = number ? counts.advance(from, number) : 'old'
        if (place === 'behind-gap') onLoss()
        if (place !== 'old') listener(message, from)
        else note(topic.name, `it was there before, and sent again by somebody else than ${from}`)
      })
      const forget = bus.onConnection((isConnected) => {
        if (isConnected) onLoss()
      })
      unsubscribes.push(unsubscribe, forget)
    },
    async request(to, topic, request) {
      const subject = requestSubject(to, topic.name)
      const sealed = sealMessage(secret, subject, envelope(request))
      try {
        const data = await bus.request(subject, sealed, { timeoutMs: topic.timeoutMs ?? DEFAULT_TIMEOUT_MS })
        const reply = Reply.parse(openMessage(secret, replyPurpose(sealed), data))
        if ('failure' in reply) throw new Error(reply.failure)
        return topic.responseSchema.parse(reply.message)
      } catch (error) {
        throw unreachable(to, error as Error)
      }
    },
    handle(topic, handler) {
      const subject = requestSubject(nodeId, topic.name)
      unsubscribes.push(bus.subscribe(subject, (message) => void respondTo(message, topic, handler)))
    },
    close: () => unsubscribes.splice(0).forEach((unsubscribe) => unsubscribe()),
  }
}

const broadcastSubject = (topic: string) => `${SERVICE_SUBJECT}.${topic}`
const requestSubject = (nodeId: NodeId, topic: string) => nodeSubject(nodeId, 'request', topic)
/** A reply belongs to its request alone: to the salt with which that was sealed. */
const replyPurpose = (request: Uint8Array) => `reply ${saltOf(request)}`
const saltOf = (sealed: Uint8Array) => Buffer.from(sealed).subarray(0, SALT_BYTES).toString('base64')
