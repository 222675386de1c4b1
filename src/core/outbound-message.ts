import { randomBytes } from 'node:crypto'
import { type PageRequest } from './page.ts'

/** What is sent to a receiver or a broker. */
export interface OutboundMessage {
  /** The same however often it is sent; sent again, it is the same message. */
  readonly id: string
  /** What keeps its order: messages of one channel arrive one after the other. */
  readonly channel: string
  readonly accountId: string
  /** The process that it is about; null where an older version wrote it. All messages of a channel are of one process. */
  readonly processId: string | null
  readonly destination: Destination
  readonly body: string
  readonly createdAtMs: number
  /** At least this long between the receiver's answer and the next message of the channel. Default: none. */
  readonly spacingMs?: number
}

/** Where a message to others goes, with all that is needed to bring it there. */
export type Destination = MqttDestination | WebhookDestination | ContactDestination

export interface MqttDestination {
  readonly kind: 'mqtt'
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly topic: string
  readonly username?: string
  readonly password?: string
  readonly qos: 0 | 1 | 2
  readonly retain: boolean
}

export interface WebhookDestination {
  readonly kind: 'webhook'
  readonly url: string
  /** Of Standard Webhooks: `whsec_…`; without it nothing is signed. */
  readonly secret?: string
  /** Where a bearer token is fetched first. */
  readonly authUrl?: string
}

/** A person's own channel. What it takes to reach it is looked up when it is sent: no secret waits along. */
export interface ContactDestination {
  readonly kind: 'contact'
  readonly contactId: string
}

/** A message that was taken: it waits, or what became of it. */
export interface DeliveryEntry {
  readonly id: string
  readonly channel: string
  /** `dead`: not delivered within a day, may be sent again; `dropped`: too many waited. */
  readonly state: 'waiting' | 'delivered' | 'dead' | 'dropped'
  readonly attempts: number
  /** What went wrong at the last attempt. */
  readonly error: string | null
  readonly createdAtMs: number
  readonly settledAtMs: number | null
}

export interface DeliveryQuery extends PageRequest {
  readonly state?: DeliveryEntry['state'] | undefined
}

/** How it stands with a channel: what waits, when it is tried next, when something last arrived. */
export interface DeliveryStanding {
  readonly waiting: number
  readonly nextAttemptAtMs: number | null
  /** Why the last attempt came to nothing; null after one that arrived. */
  readonly trouble: string | null
  readonly lastDeliveredAtMs: number | null
}

/** A secret of Standard Webhooks that nobody had before: 192 bits. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

const SUM = 'sum:'

/** Of what was held back from a contact: one for each moment at which it is made. */
export const sumId = (contactId: string, atMs: number): string => `${SUM}${contactId}:${atMs}`

export const isSum = (messageId: string): boolean => messageId.startsWith(SUM)
