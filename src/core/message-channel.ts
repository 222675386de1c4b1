import { type z } from 'zod'

/** Messages that are not answers to requests, for the AsyncAPI document. Each feature says which ones it has. */
export interface MessageChannel {
  /** A name for references: letters and digits. */
  readonly name: string
  /** `events`: server-sent events. */
  readonly protocol: 'websocket' | 'events' | 'mqtt' | 'webhook' | 'nats'
  /** Path, topic, subject or url; `{parameters}` in braces. */
  readonly address: string
  readonly title: string
  readonly description?: string
  /** What each parameter of the address is. */
  readonly parameters?: Readonly<Record<string, string>>
  /** As seen from the service. */
  readonly action: 'send' | 'receive'
  readonly messages: readonly ChannelMessage[]
}

export interface ChannelMessage {
  /** A name for references: letters and digits. */
  readonly name: string
  readonly summary: string
  readonly payload: z.ZodType
  /** JSON, unless said otherwise. */
  readonly contentType?: string
  /** As JSON Schema would name them: header and what it holds. */
  readonly headers?: Readonly<Record<string, string>>
}
