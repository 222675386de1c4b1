import { type z } from 'zod'
import { type Clock } from './clock.ts'
import { isSettledWithin } from './deadline.ts'
import { type NodeId } from './node.ts'

/** What nodes send to each other: of each topic, all nodes know the shape. */
export interface Topic<Message> {
  readonly name: string
  readonly shape: z.ZodType<Message>
}

/** What a node asks another, and what that answers. */
export interface Question<Asked, Answer> extends Topic<Asked> {
  readonly answer: z.ZodType<Answer>
  /** Where it takes longer than most. */
  readonly withinMs?: number
}

/** The other nodes of the service, as features talk to them. */
export interface NodeExchange {
  /** To all of them. What is lost does not come again. */
  tell<Message>(topic: Topic<Message>, message: Message): void
  /** One after the other: must not wait. */
  onTold<Message>(topic: Topic<Message>, handle: (message: Message, from: NodeId) => void): void
  /** Rejects with `node-unreachable` where there is no answer in time, or it could not be given. */
  ask<Asked, Answer>(to: NodeId, question: Question<Asked, Answer>, asked: Asked): Promise<Answer>
  onAsked<Asked, Answer>(
    question: Question<Asked, Answer>,
    answer: (asked: Asked, from: NodeId) => Promise<Answer>,
  ): void
}

/** A list waits no longer for a node: what is not known by then is not known. */
export const LIST_WITHIN_MS = 1_000
/** Every server of NATS that nodes can use takes messages of 64 KB; encrypting adds a little. */
export const MAX_ANSWER_CHARS = 40_000

/** What it resolves to; undefined when it fails, or takes longer than a list may. */
export async function answeredInTime<T>(answer: Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T | undefined> {
  const known = answer.catch(() => undefined)
  return (await isSettledWithin(known, LIST_WITHIN_MS, clock)) ? known : undefined
}
