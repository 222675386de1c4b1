import { type BrokerLinkDeps, openBrokerLink } from './broker-link.ts'
import { createInFlightWindow } from './in-flight-window.ts'
import { NotDelivered } from './message.ts'
import { createTopicSuspicion } from './topic-suspicion.ts'
import { createWaiters } from './waiters.ts'

export interface BrokerConnectionDeps extends BrokerLinkDeps {
  /** How long a receipt may take. */
  readonly acknowledgeWithinMs?: number | undefined
}

export interface PublishOptions {
  readonly qos: 0 | 1 | 2
  readonly retain: boolean
}

/** One connection to a broker, for everything that an account sends there. Reconnects for as long as it is wanted. */
export interface BrokerConnection {
  /** Resolves when the broker has it, as far as the QoS says. */
  publish(topic: string, body: string, options: PublishOptions): Promise<void>
  /** Since when there is no connection, by the steady clock; null while there is one. */
  awaySinceMs(): number | null
  /** Says `offline` first, since a last will is only for those who did not say goodbye. What is under way fails with the sentence. */
  close(sentence?: string): Promise<void>
}

const ACKNOWLEDGE_TIMEOUT_MS = 10_000
const OFFLINE_TIMEOUT_MS = 1_000

export function openBrokerConnection(deps: BrokerConnectionDeps): BrokerConnection {
  const { broker, availabilityTopic, acknowledgeWithinMs = ACKNOWLEDGE_TIMEOUT_MS } = deps
  const name = `${broker.host}:${broker.port}`
  const receipts = createWaiters()
  const suspicion = createTopicSuspicion()
  const link = openBrokerLink(deps, (sentence) => receipts.failAll(sentence))
  const inFlight = createInFlightWindow(() => link.maxInFlight())

  async function publishNow(topic: string, body: string, options: PublishOptions): Promise<void> {
    const client = link.client()
    const onLate = () => {
      // The library keeps what is not acknowledged for as long as the connection lasts; every attempt would add to it.
      const sentence = `The broker ${name} did not acknowledge the message.`
      // Once this has failed for its own reason: hanging up fails whatever is under way.
      queueMicrotask(() => link.hangUp(sentence))
      return sentence
    }
    const hangUpsBefore = link.hangUps()
    try {
      await receipts.wait(acknowledgeWithinMs, onLate, (end) =>
        client.publish(topic, body, options, (error) =>
          end(error ? new NotDelivered(`The broker ${name} does not take it: ${error.message}`) : undefined),
        ),
      )
    } catch (error) {
      throw link.hangUps() === hangUpsBefore ? error : suspicion.onHangUp(topic, error as Error)
    }
    suspicion.onTaken(topic)
  }

  async function publishOffline(): Promise<void> {
    const client = link.client()
    await receipts.wait(
      OFFLINE_TIMEOUT_MS,
      () => '',
      (end) =>
        client.publish(availabilityTopic, 'offline', { qos: 1, retain: true }, (error) => end(error ?? undefined)),
    )
  }

  return {
    async publish(topic, body, options) {
      await link.whenConnected()
      await inFlight.enter()
      try {
        await publishNow(topic, body, options)
      } finally {
        inFlight.leave()
      }
    },
    awaySinceMs: () => link.awaySinceMs(),
    async close(sentence = 'The service is stopping.') {
      if (link.isConnected() && link.hasWill()) await publishOffline().catch(() => {})
      // Before the library fails them with a sentence of its own.
      receipts.failAll(sentence)
      await link.close(sentence)
    },
  }
}
