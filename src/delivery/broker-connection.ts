import { randomBytes } from 'node:crypto'
import { type MqttClient } from 'mqtt'
import { type Clock } from '../core/clock.ts'
import { type MqttDestination } from '../core/destination.ts'
import { keepTrying } from '../core/keep-trying.ts'
import { brokerComplaint, connectToBroker } from '../outbound/mqtt-client.ts'
import { createBrokerBudget } from '../outbound/packet-guard.ts'
import { type Dial } from './dial.ts'
import { NotDelivered } from './message.ts'
import { createTopicSuspicion } from './topic-suspicion.ts'
import { createWaiters } from './waiters.ts'

export type Broker = Pick<MqttDestination, 'host' | 'port' | 'tls' | 'username' | 'password'>

export interface BrokerConnectionDeps {
  readonly broker: Broker
  /** Whose it is: what one account sends never ends the connection of another. */
  readonly accountId: string
  readonly dial: Dial
  /** Where it says `online` and, by its last will, `offline`; both retained. */
  readonly availabilityTopic: string
  readonly clock: Clock
  readonly ca?: string | undefined
  /** How long a receipt may take. */
  readonly acknowledgeWithinMs?: number | undefined
}

/** One connection to somebody's broker, for all that an account sends there. Comes back for as long as it is wanted. */
export interface BrokerConnection {
  /** Resolves when the broker has it, as far as the QoS says. */
  publish(topic: string, body: string, options: { qos: 0 | 1 | 2; retain: boolean }): Promise<void>
  /** Since when there is no connection, by the steady clock; null while there is one. */
  awaySinceMs(): number | null
  /** Says `offline` first, since a last will is only for those who did not say goodbye. Who waits is told the sentence. */
  close(sentence?: string): Promise<void>
}

const CONNECT_WITHIN_MS = 10_000
const ACKNOWLEDGE_WITHIN_MS = 10_000
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 15_000
/** Receipts and the like are far smaller. */
const MAX_PACKET_BYTES = 64 * 1024
const GOODBYE_WITHIN_MS = 1_000
/** Unacknowledged at once; a broker may say fewer (MQTT 5 §3.3.4), and most take no more than twenty. */
const MAX_IN_FLIGHT = 20

/** Tried one after the other when a broker refuses us: some know only 3.1.1, some allow no last will. */
const manners = [
  { protocolVersion: 5, hasWill: true },
  { protocolVersion: 4, hasWill: true },
  { protocolVersion: 4, hasWill: false },
] as const

export function openBrokerConnection(deps: BrokerConnectionDeps): BrokerConnection {
  const { broker, accountId, dial, availabilityTopic, clock, ca, acknowledgeWithinMs = ACKNOWLEDGE_WITHIN_MS } = deps
  const name = `${broker.host}:${broker.port}`
  const leaving = new AbortController()
  const { signal } = leaving
  const budget = createBrokerBudget(clock)
  let manner = 0
  let client: MqttClient | undefined
  let hangUp: (sentence: string) => void = () => {}
  let awaySinceMs: number | null = clock.steady()
  let isTrying = true
  let trouble = `There is no connection to the broker ${name} yet.`
  /** Who waits for a connection, or for the broker's receipt on it. */
  const arrivals = createWaiters()
  const receipts = createWaiters()
  const places: (() => void)[] = []
  const suspicion = createTopicSuspicion()
  let hangUps = 0
  let inFlight = 0
  let maxInFlight = MAX_IN_FLIGHT
  const done = keepTrying(connectOnce, {
    clock,
    signal,
    firstWaitMs: FIRST_WAIT_MS,
    maxWaitMs: MAX_WAIT_MS,
    onFailure(sentence) {
      isTrying = false
      trouble = sentence
      receipts.failAll(sentence)
      arrivals.failAll(sentence)
    },
  })

  /** Rejects when the connection has ended. */
  async function connectOnce(attempt: number, onWelcome: () => void): Promise<void> {
    isTrying = true
    // One after the other: the first of a name's addresses may be the one where nobody listens.
    const addresses = await dial(broker.host, accountId)
    const { address } = addresses[attempt % addresses.length]!
    if (signal.aborted) return
    await new Promise<void>((_resolve, reject) => {
      const { protocolVersion, hasWill } = manners[manner]!
      const connection = open(address, protocolVersion, hasWill)
      client = connection
      let [isSpokenTo, isAnswered, isWelcome, isOver] = [false, false, false, false]
      connection.stream.once('connect', () => (isSpokenTo = true))
      connection.stream.once('data', () => (isAnswered = true))
      const end = (sentence: string) => {
        if (isOver) return
        isOver = true
        hangUps += 1
        awaySinceMs ??= clock.steady()
        connection.end(true)
        reject(new Error(sentence))
      }
      const fail = (sentence: string) => {
        if (!isOver && isSpokenTo) manner = mannerAfter(manner, { isAnswered, isWelcome })
        end(sentence)
      }
      hangUp = end
      const welcome = () => {
        isWelcome = true
        onWelcome()
      }
      connection.on('packetreceive', ({ cmd }) => {
        if (cmd === 'puback' || cmd === 'pubrec') welcome()
      })
      connection.on('connect', ({ properties }) => {
        awaySinceMs = null
        maxInFlight = Math.min(MAX_IN_FLIGHT, properties?.receiveMaximum ?? MAX_IN_FLIGHT)
        if (!hasWill) welcome()
        else connection.publish(availabilityTopic, 'online', { qos: 1, retain: true }, () => {})
        arrivals.resolveAll()
      })
      connection.on('error', (error) => fail(brokerComplaint(name, error)))
      connection.on('close', () => fail(`There is no connection to the broker ${name}.`))
    })
  }

  function open(address: string, protocolVersion: 4 | 5, hasWill: boolean): MqttClient {
    return connectToBroker({
      access: broker,
      address,
      ca,
      budget,
      maxPacketBytes: MAX_PACKET_BYTES,
      isListening: false,
      mqtt: {
        protocolVersion,
        clientId: `aerie-${randomBytes(8).toString('hex')}`,
        ...(hasWill && { will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true } }),
      },
    })
  }

  async function takePlace(): Promise<void> {
    if (inFlight >= maxInFlight) await new Promise<void>((resolve) => places.push(resolve))
    inFlight += 1
  }
  function leavePlace(): void {
    inFlight -= 1
    places.shift()?.()
  }

  return {
    async publish(topic, body, options) {
      if (!isTrying) throw new NotDelivered(trouble)
      if (!client?.connected) await arrivals.wait(CONNECT_WITHIN_MS, () => trouble)
      await takePlace()
      try {
        if (!client?.connected) throw new NotDelivered(trouble)
        const hangUpsBefore = hangUps
        const receipt = receipts.wait(
          acknowledgeWithinMs,
          () => {
            // The library keeps what is not acknowledged for as long as the connection lasts; every attempt would add to it.
            const sentence = `The broker ${name} did not acknowledge the message.`
            // Once this has failed for its own reason: hanging up fails whatever is under way.
            queueMicrotask(() => hangUp(sentence))
            return sentence
          },
          (end) =>
            client!.publish(topic, body, options, (error) =>
              end(error ? new NotDelivered(`The broker ${name} does not take it: ${error.message}`) : undefined),
            ),
        )
        await receipt.catch((error: unknown) => {
          throw hangUps === hangUpsBefore ? error : suspicion.onHangUp(topic, error as Error)
        })
        suspicion.onTaken(topic)
      } finally {
        leavePlace()
      }
    },
    awaySinceMs: () => awaySinceMs,
    async close(sentence = 'The service is stopping.') {
      if (client?.connected && manners[manner]!.hasWill)
        await receipts
          .wait(
            GOODBYE_WITHIN_MS,
            () => '',
            (end) =>
              client!.publish(availabilityTopic, 'offline', { qos: 1, retain: true }, (error) =>
                end(error ?? undefined),
              ),
          )
          .catch(() => {})
      leaving.abort()
      arrivals.failAll(sentence)
      receipts.failAll(sentence)
      client?.end(true)
      await done
    },
  }
}

/**
 * The next manner after a connection that was spoken on. Refused, or sent away at the first word: another one. Without
 * any answer that may be a broker that knows only 3.1.1, or a proxy whose broker is away: the last will stays.
 */
function mannerAfter(manner: number, { isAnswered, isWelcome }: { isAnswered: boolean; isWelcome: boolean }): number {
  if (isWelcome) return 0
  return isAnswered ? (manner + 1) % manners.length : manner === 0 ? 1 : 0
}
