import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type NodeExchange, type Question, type Topic } from '../core/node-exchange.ts'
import { type NodeId } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { type NatsBus, type NatsMessage } from './nats-bus.ts'
import { openMessage, sealMessage } from './sealed-message.ts'
import { nodeSubject, SERVICE_SUBJECT } from './subjects.ts'

/** Messages between nodes by way of NATS, that only nodes can read and make. */
export interface Exchange extends NodeExchange {
  close(): void
}

export interface ExchangeDeps {
  readonly bus: Pick<NatsBus, 'publish' | 'subscribe' | 'request'>
  readonly nodeId: NodeId
  /** Of the service: all its nodes have the same one, and nobody else has it. */
  readonly secret: string
  readonly clock: Pick<Clock, 'now' | 'steady'>
  readonly log: Log
}

const ANSWER_WITHIN_MS = 10_000
/** As far as the clocks of two nodes may be apart; what is older was recorded by somebody. */
const MAX_AGE_MS = 60_000
const MAX_ANSWERING = 500
const RETRY_AFTER_SECONDS = 2

const Envelope = z.object({ from: z.string().min(1).max(255), at: z.number(), message: z.unknown() })
const Answered = z.union([z.object({ message: z.unknown() }), z.object({ failure: z.string().max(2_000) })])

export function createExchange({ bus, nodeId, secret, clock, log }: ExchangeDeps): Exchange {
  const stops: (() => void)[] = []
  const troubles = createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, () => clock.steady())
  let answering = 0

  const envelope = (message: unknown) => ({ from: nodeId, at: clock.now(), message })

  /** From whom, and what; undefined for what is not from a node, or is of no shape that we know. */
  function read<Message>(subject: string, data: Uint8Array, { name, shape }: Topic<Message>) {
    const { data: opened } = Envelope.safeParse(openMessage(secret, subject, data))
    if (!opened) return note(name, 'it is of nobody who knows the secret of this service')
    const { from, at, message } = opened
    if (Math.abs(clock.now() - at) > MAX_AGE_MS)
      return note(name, `the clock of ${from} is off by ${Math.round((clock.now() - at) / 1000)} s: set it by NTP`)
    const { data: known } = shape.safeParse(message)
    if (known === undefined) return note(name, `${from} says what this version does not know`)
    return { from, message: known }
  }

  function note(topic: string, reason: string): undefined {
    troubles.note({ topic, reason }, 'a message between nodes is ignored')
  }

  function unreachable(node: NodeId, cause: Error): AppError {
    troubles.note({ node, reason: cause.message }, 'another node does not answer')
    const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
    return new AppError('node-unreachable', { node, retry_after_seconds: RETRY_AFTER_SECONDS }, options)
  }

  async function give<Asked, Answer>(
    { subject, data, respond }: NatsMessage,
    question: Question<Asked, Answer>,
    answer: (asked: Asked, from: NodeId) => Promise<Answer>,
  ): Promise<void> {
    const asked = read(subject, data, question)
    if (!asked) return
    const purpose = answerPurpose(data)
    const say = (said: z.input<typeof Answered>) => respond(sealMessage(secret, purpose, said))
    if (answering >= MAX_ANSWERING) return void say({ failure: 'it is busy' })
    answering += 1
    try {
      say({ message: await answer(asked.message, asked.from) })
    } catch (error) {
      log.warn({ err: error, topic: question.name, node: asked.from }, 'what another node asked was not done')
      say({ failure: (error as Error).message })
    } finally {
      answering -= 1
    }
  }

  return {
    tell({ name }, message) {
      const subject = broadcastSubject(name)
      bus.publish(subject, sealMessage(secret, subject, envelope(message)))
    },
    onTold(topic, handle) {
      const subject = broadcastSubject(topic.name)
      const stop = bus.subscribe(subject, ({ data }) => {
        const told = read(subject, data, topic)
        if (told && told.from !== nodeId) handle(told.message, told.from)
      })
      stops.push(stop)
    },
    async ask(to, question, asked) {
      const subject = askSubject(to, question.name)
      const sealed = sealMessage(secret, subject, envelope(asked))
      try {
        const data = await bus.request(subject, sealed, { timeoutMs: question.withinMs ?? ANSWER_WITHIN_MS })
        const answered = Answered.parse(openMessage(secret, answerPurpose(sealed), data))
        if ('failure' in answered) throw new Error(answered.failure)
        return question.answer.parse(answered.message)
      } catch (error) {
        throw unreachable(to, error as Error)
      }
    },
    onAsked(question, answer) {
      const subject = askSubject(nodeId, question.name)
      stops.push(bus.subscribe(subject, (message) => void give(message, question, answer)))
    },
    close: () => stops.splice(0).forEach((stop) => stop()),
  }
}

const broadcastSubject = (topic: string) => `${SERVICE_SUBJECT}.${topic}`
const askSubject = (nodeId: NodeId, question: string) => nodeSubject(nodeId, 'ask', question)
/** An answer belongs to its question alone: to the salt with which that was sealed. */
const answerPurpose = (question: Uint8Array) => `answer ${Buffer.from(question).subarray(0, 16).toString('base64')}`
