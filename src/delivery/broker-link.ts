import { type MqttClient } from 'mqtt'
import { type Clock } from '../core/clock.ts'
import { keepTrying } from '../core/retry.ts'
import { createBrokerBudget } from '../outbound/packet-guard.ts'
import { type Broker, type BrokerSession, MAX_IN_FLIGHT, openBrokerSession } from './broker-session.ts'
import { CONNECT_VARIANTS, nextVariant } from './connect-variants.ts'
import { type AddressLookup } from './address-lookup.ts'
import { NotDelivered } from './message.ts'
import { createWaiters } from './waiters.ts'

export interface BrokerLinkDeps {
  readonly broker: Broker
  /** Whose it is: what one account sends never ends the connection of another. */
  readonly accountId: string
  readonly lookUp: AddressLookup
  /** Where it says `online` and, by its last will, `offline`; both retained. */
  readonly availabilityTopic: string
  readonly clock: Clock
  readonly ca?: string | undefined
}

/** A connection to a broker that is made again whenever it has ended. */
export interface BrokerLink {
  /** Resolves when there is a connection. Rejects at once while the next attempt is waited for. */
  whenConnected(): Promise<void>
  /** Throws what is wrong while there is no connection. */
  client(): MqttClient
  isConnected(): boolean
  /** By the broker's last will it is known when the connection ends without a goodbye. */
  hasWill(): boolean
  maxInFlight(): number
  /** How many connections have ended, or were not made. */
  hangUps(): number
  /** Since when there is no connection, by the steady clock; null while there is one. */
  awaySinceMs(): number | null
  hangUp(sentence: string): void
  close(sentence: string): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 15_000

export function openBrokerLink(deps: BrokerLinkDeps, onDown: (sentence: string) => void): BrokerLink {
  const { broker, accountId, lookUp, availabilityTopic, clock, ca } = deps
  const leaving = new AbortController()
  const budget = createBrokerBudget(clock)
  const arrivals = createWaiters()
  let session: BrokerSession | undefined
  let variantIndex = 0
  let hangUps = 0
  let maxInFlight = MAX_IN_FLIGHT
  let awaySinceMs: number | null = clock.steady()
  let isTrying = true
  let trouble = `There is no connection to the broker ${broker.host}:${broker.port} yet.`
  const done = keepTrying(connectOnce, {
    clock,
    signal: leaving.signal,
    firstWaitMs: FIRST_WAIT_MS,
    maxWaitMs: MAX_WAIT_MS,
    onFailure(sentence) {
      isTrying = false
      trouble = sentence
      onDown(sentence)
      arrivals.failAll(sentence)
    },
  })

  /** Rejects when the connection has ended. */
  async function connectOnce(attempt: number, onAccepted: () => void): Promise<void> {
    isTrying = true
    // One after the other: the first of a name's addresses may be the one where nobody listens.
    const addresses = await lookUp(broker.host, accountId)
    const { address } = addresses[attempt % addresses.length]!
    if (leaving.signal.aborted) return
    await new Promise<void>((_resolve, reject) => {
      session = openBrokerSession({
        broker,
        address,
        variant: CONNECT_VARIANTS[variantIndex]!,
        availabilityTopic,
        budget,
        ca,
        onAccepted,
        onConnected(max) {
          awaySinceMs = null
          maxInFlight = max
          arrivals.resolveAll()
        },
        onEnded(sentence, outcome) {
          hangUps += 1
          awaySinceMs ??= clock.steady()
          if (outcome) variantIndex = nextVariant(variantIndex, outcome)
          reject(new Error(sentence))
        },
      })
    })
  }

  const isConnected = () => session?.client.connected ?? false

  return {
    async whenConnected() {
      if (!isTrying) throw new NotDelivered(trouble)
      if (!isConnected()) await arrivals.wait(CONNECT_TIMEOUT_MS, () => trouble)
    },
    client() {
      if (!session || !isConnected()) throw new NotDelivered(trouble)
      return session.client
    },
    isConnected,
    hasWill: () => CONNECT_VARIANTS[variantIndex]!.hasWill,
    maxInFlight: () => maxInFlight,
    hangUps: () => hangUps,
    awaySinceMs: () => awaySinceMs,
    hangUp: (sentence) => session?.end(sentence),
    async close(sentence) {
      leaving.abort()
      arrivals.failAll(sentence)
      session?.client.end(true)
      await done
    },
  }
}
