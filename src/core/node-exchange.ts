import { type z } from 'zod'
import { type Clock } from './clock.ts'
import { isSettledWithin } from './deadline.ts'
import { type NodeId } from './node.ts'

/** What nodes publish to each other: all of them know the schema of each topic. */
export interface Topic<Message> {
  readonly name: string
  readonly schema: z.ZodType<Message>
}

/** What one node requests of another, and the response to it. */
export interface RequestTopic<Request, Response> extends Topic<Request> {
  readonly responseSchema: z.ZodType<Response>
  /** Where it takes longer than most. */
  readonly timeoutMs?: number
}

/** The other nodes of the service, as features talk to them. */
export interface NodeExchange {
  /** To all of them. What is lost does not come again. */
  publish<Message>(topic: Topic<Message>, message: Message): void
  /**
   * What others publish, one after the other: the listener must not wait. `onLoss` is called when something of it may have been lost: NATS
   * was away, or one is missing before one that has come.
   */
  subscribe<Message>(
    topic: Topic<Message>,
    listener: (message: Message, from: NodeId) => void,
    onLoss?: () => void,
  ): void
  /** Rejects with `node-unreachable` where there is no response in time, or it could not be made. */
  request<Request, Response>(to: NodeId, topic: RequestTopic<Request, Response>, request: Request): Promise<Response>
  /** Responds to the requests of others. */
  handle<Request, Response>(
    topic: RequestTopic<Request, Response>,
    handler: (request: Request, from: NodeId) => Promise<Response>,
  ): void
}

/** A list waits no longer for a node: what is not known by then is not known. */
export const LIST_TIMEOUT_MS = 1_000

/** What it resolves to; undefined when it fails, or takes longer than a list may. */
export async function resultInTime<T>(result: Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T | undefined> {
  const known = result.catch(() => undefined)
  return (await isSettledWithin(known, LIST_TIMEOUT_MS, clock)) ? known : undefined
}
