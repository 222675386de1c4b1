import { type OutboundLists } from '../core/check-hosts.ts'
import { type Clock } from '../core/clock.ts'
import { type Contact, type ContactTurns } from '../core/contact.ts'
import { type EventPictures } from '../core/event-pictures.ts'
import { type Destination } from '../core/outbound-message.ts'
import { type Log } from '../observe/log.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { type SharedResolver } from '../outbound/resolve.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { createContactSender } from './contact-sender.ts'
import { createHttpCaller } from './http-call.ts'
import { type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createNtfySender } from './ntfy-sender.ts'
import { createSmtpSender } from './smtp-sender.ts'
import { createTelegramSender } from './telegram-sender.ts'
import { type Vapid } from './web-push/vapid.ts'
import { createWebPushSender } from './web-push/web-push-sender.ts'
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
  readonly contacts: ContactTurns
  /** Of alert events. */
  readonly pictures: EventPictures
  readonly vapid: Vapid
  readonly resolver: SharedResolver
  readonly clock: Clock
  readonly log: Log
}

export interface Senders extends Sender {
  /** Now, past the outbox. Resolves as `LetterSender.send` does. */
  sendTest(contact: Contact): Promise<string | null>
}

/** Sends each message by the protocol of its destination. */
export function createSenders({ options, mayCallThisMachine, ...deps }: SendersDeps): Senders {
  const { contacts, pictures, vapid, resolver, clock, log } = deps
  const createFor = (isMaster: boolean) => {
    const policy = createOutboundPolicy({ ...options.outbound, mayCallThisMachine: isMaster, mediaPorts: [] })
    const lookUp = createAddressLookup(policy, (accountId) => resolver.for(accountId))
    const http = createHttpCaller({ lookUp })
    const mayLogIn = (authUrl: URL, receiver: URL) =>
      isMaster || authUrl.origin === receiver.origin || options.authOrigins.includes(authUrl.origin)
    const types = {
      email: createSmtpSender({ lookUp }),
      ntfy: createNtfySender({ http, clock }),
      telegram: createTelegramSender({ http, clock }),
      webpush: createWebPushSender({ http, contacts, vapid, clock }),
    }
    return {
      webhook: createWebhookSender({ http, tokens: createBearerTokens(http, clock), mayLogIn, clock }),
      mqtt: createMqttSender({ lookUp, availabilityTopic: `aerie/${options.instanceId}/availability`, clock }),
      contact: createContactSender({ contacts, pictures, types, clock, log }),
    } satisfies Readonly<Record<Destination['kind'], Sender>>
  }
  // Connections are used again by others: only by those who might have made them themselves.
  const senders = { masters: createFor(true), children: createFor(false) }
  const sendersOf = async (accountId: string) =>
    (await mayCallThisMachine(accountId)) ? senders.masters : senders.children

  return {
    async send(message, signal) {
      const own = await sendersOf(message.accountId)
      await own[message.destination.kind].send(message, signal)
    },
    sendTest: async (contact) => (await sendersOf(contact.accountId)).contact.sendTest(contact),
    async close() {
      const all = Object.values(senders).flatMap((own) => Object.values(own))
      await Promise.all(all.map((sender) => sender.close()))
    },
  }
}
