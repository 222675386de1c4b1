import { type OutboundLists } from '../core/check-hosts.ts'
import { type Clock } from '../core/clock.ts'
import { type Destination } from '../core/outbound-message.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { type SharedResolver } from '../outbound/resolve.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { createHttpCaller } from './http-call.ts'
import { type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createWebhookSender } from './webhook-sender.ts'

export interface SendersDeps {
  readonly options: {
    readonly outbound: OutboundLists
    /** Web origins that may be logged in to for receivers of other origins. */
    readonly authOrigins: readonly string[]
    /** Identifies this installation in the topic of its availability. */
    readonly instanceId: string
  }
  /** Whether this account may have this machine itself called: a master may. */
  readonly mayCallThisMachine: (accountId: string) => Promise<boolean>
  readonly resolver: SharedResolver
  readonly clock: Clock
}

/** Sends each message by the protocol of its destination. */
export function createSenders({ options, mayCallThisMachine, resolver, clock }: SendersDeps): Sender {
  const createFor = (isMaster: boolean): Readonly<Record<Destination['kind'], Sender>> => {
    const policy = createOutboundPolicy({ ...options.outbound, mayCallThisMachine: isMaster, mediaPorts: [] })
    const lookUp = createAddressLookup(policy, (accountId) => resolver.for(accountId))
    const http = createHttpCaller({ lookUp })
    const mayLogIn = (authUrl: URL, receiver: URL) =>
      isMaster || authUrl.origin === receiver.origin || options.authOrigins.includes(authUrl.origin)
    return {
      webhook: createWebhookSender({ http, tokens: createBearerTokens(http, clock), mayLogIn, clock }),
      mqtt: createMqttSender({ lookUp, availabilityTopic: `aerie/${options.instanceId}/availability`, clock }),
    }
  }
  // Connections are used again by others: only by those who might have made them themselves.
  const senders = { masters: createFor(true), children: createFor(false) }

  return {
    async send(message, signal) {
      const own = (await mayCallThisMachine(message.accountId)) ? senders.masters : senders.children
      await own[message.destination.kind].send(message, signal)
    },
    async close() {
      const all = Object.values(senders).flatMap((own) => Object.values(own))
      await Promise.all(all.map((sender) => sender.close()))
    },
  }
}
