import { createHash } from 'node:crypto'
import { type Destination } from '../core/destination.ts'
import { type DurableNotifier, type NotifierSource } from '../core/durable-notifier.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/progress-writer.ts'
import { readBrokerAddress } from './broker-address.ts'
import { type Output } from './output.schema.ts'

/** Those with the same `channel` arrive in order. */
export interface Message {
  readonly id: string
  readonly channel: string
  readonly accountId: string
  readonly destination: Destination
  readonly body: string
  readonly createdAtMs: number
}

export interface Delivery {
  createNotifier<Item>(source: NotifierSource<Item, Message>): DurableNotifier
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Everything that waits under this channel is dropped; with `'all'`, also what is kept of it. */
  drop(channel: string, what?: 'waiting' | 'all'): Promise<void>
  /** How it stands with channels: what waits, and why the last attempt came to nothing. */
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, { waiting: number; trouble: string | null }>>
}

/**
 * What keeps its order: the notifications of one alert at one process to one destination. An output that is corrected is
 * another channel, so that nothing waits behind what the wrong address does not take.
 */
export function channelOf(alertId: string, processId: string, destination: Destination): string {
  const { kind } = destination
  const parts =
    kind === 'webhook'
      ? [kind, destination.url]
      : [
          kind,
          destination.host,
          destination.port,
          destination.tls,
          destination.topic,
          destination.username,
          destination.password,
        ]
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
  return `alert:${alertId}:${processId}:${hash}`
}

/** Each with its channel; the same destination twice is one. */
export function destinationsOf(
  alertId: string,
  processId: string,
  outputs: readonly Output[],
): ReadonlyMap<string, Destination> {
  const destinations = outputs.map(toDestination)
  return new Map(destinations.map((destination) => [channelOf(alertId, processId, destination), destination]))
}

export function toDestination(output: Output): Destination {
  if (output.type === 'webhook') return { kind: 'webhook', url: output.config.url }
  const { host: text, topic, username, password, qos, retain } = output.config
  const address = readBrokerAddress(text)
  if ('problem' in address) throw new Error(`The address of a broker ${address.problem}.`)
  return {
    kind: 'mqtt',
    topic,
    qos,
    retain,
    ...address,
    // What stands in fields of its own is meant more than what stands in the address.
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
}
