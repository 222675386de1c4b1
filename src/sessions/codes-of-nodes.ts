import { z } from 'zod'
import { type NodeExchange, type RequestTopic } from '../core/node-exchange.ts'
import { type NodeId } from '../core/node.ts'
import { type SignInCodes } from './sign-in-codes.ts'

/** Codes that sign in at any node of the service, once. */
export interface CodesOfNodes {
  issue: SignInCodes['issue']
  /** Rejects with `node-unreachable` where the node that made the code does not respond. */
  take(code: string): Promise<string | undefined>
}

export interface OtherNodes {
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  /** Whether there is another one of this name. */
  readonly isKnown: (nodeId: NodeId) => boolean
}

const topic: RequestTopic<{ code: string }, string | null> = {
  name: 'take-sign-in-code',
  schema: z.object({ code: z.string().max(200) }),
  responseSchema: z.string().nullable(),
}

/** A code ends with the name of its node, which gives it to whoever is asked to sign in with it. */
export function createCodesOfNodes(own: SignInCodes, nodeId: NodeId, { exchange, isKnown }: OtherNodes): CodesOfNodes {
  exchange.handle(topic, async ({ code }) => own.take(code) ?? null)

  return {
    issue(keySha256) {
      const { code, expiresAt } = own.issue(keySha256)
      return { code: `${code}.${nodeId}`, expiresAt }
    },
    async take(given) {
      // Names may have dots in them, and what stands before one has none.
      const [code = '', ...name] = given.split('.')
      const maker = name.join('.')
      if (maker === nodeId) return own.take(code)
      return isKnown(maker) ? ((await exchange.request(maker, topic, { code })) ?? undefined) : undefined
    },
  }
}
