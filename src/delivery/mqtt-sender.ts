import { type Clock } from '../core/clock.ts'
import { type MqttDestination } from '../core/outbound-message.ts'
import { type BrokerConnection, openBrokerConnection } from './broker-connection.ts'
import { type Broker } from './broker-session.ts'
import { type AddressLookup } from './address-lookup.ts'
import { IN_USE_MS, type EvictionCandidate, chooseEviction } from './eviction.ts'
import { NotDelivered, type Sender } from './message.ts'

export interface MqttSenderDeps {
  readonly lookUp: AddressLookup
  /** Under it every connection says whether it is there, each on its own topic. */
  readonly availabilityTopic: string
  readonly clock: Clock
  /** How long a connection stays without use. */
  readonly idleMs?: number
  /** How long a broker may take for a receipt. */
  readonly acknowledgeWithinMs?: number
  readonly ca?: string
}

/** Connections at once, made or not; when there are more, one of them is evicted. */
const MAX_CONNECTIONS = 500
const MAX_CONNECTIONS_OF_ACCOUNT = 40
/** Long, since closing says `offline`: an alert may have nothing to send for a night, and is there all the same. */
const IDLE_MS = 86_400_000
const SWEEP_EVERY_MS = 15_000
const EVICTED = 'The broker is not connected, and its place was needed for another; it is tried again.'

interface Kept extends EvictionCandidate {
  readonly key: string
  readonly connection: BrokerConnection
  usedAtMs: number
  users: number
}

/**
 * Brings messages to MQTT brokers. Those of an account for the same broker and login share a connection; accounts share
 * none, since a broker may hang up on what one of them sends.
 */
export function createMqttSender(deps: MqttSenderDeps): Sender {
  const { lookUp, availabilityTopic, clock, idleMs = IDLE_MS, acknowledgeWithinMs, ca } = deps
  const kept = new Map<string, Kept>()
  const closings = new Set<Promise<void>>()
  const closing = new AbortController()
  const sweeping = sweep()

  async function sweep(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(Math.min(SWEEP_EVERY_MS, idleMs / 4), closing.signal)
      for (const one of kept.values()) {
        const unusedMs = one.users > 0 ? 0 : clock.steady() - one.usedAtMs
        if (unusedMs >= idleMs || (one.awaySinceMs !== null && unusedMs >= IN_USE_MS)) close(one)
      }
    }
  }

  function close({ key, connection }: Kept): void {
    kept.delete(key)
    const closed = connection.close(EVICTED).finally(() => closings.delete(closed))
    closings.add(closed)
  }

  /** Evicts one if it must. Answers whether there is room for one more now. */
  function makeRoomAmong(some: readonly Kept[], maxKept: number): boolean {
    if (some.length < maxKept) return true
    const evicted = chooseEviction(some, clock.steady())
    if (evicted) close(evicted)
    return evicted !== undefined
  }

  function connectionTo(broker: Broker, accountId: string): Kept {
    const key = JSON.stringify([accountId, broker.host, broker.port, broker.tls, broker.username, broker.password])
    const known = kept.get(key)
    if (known) return known
    const own = [...kept.values()].filter((one) => one.accountId === accountId)
    if (!makeRoomAmong(own, MAX_CONNECTIONS_OF_ACCOUNT))
      throw new NotDelivered(`A key may send to ${MAX_CONNECTIONS_OF_ACCOUNT} brokers at a time; it is tried again.`)
    if (!makeRoomAmong([...kept.values()], MAX_CONNECTIONS))
      throw new NotDelivered(
        `There are as many connections to brokers as can be (${MAX_CONNECTIONS}); it is tried again.`,
      )
    const connection = openBrokerConnection({
      broker,
      accountId,
      lookUp,
      availabilityTopic: `${availabilityTopic}/${nameOf(broker)}/${accountId}`,
      clock,
      ca,
      acknowledgeWithinMs,
    })
    const added: Kept = {
      key,
      connection,
      accountId,
      usedAtMs: clock.steady(),
      users: 0,
      get awaySinceMs() {
        return connection.awaySinceMs()
      },
    }
    kept.set(key, added)
    return added
  }

  return {
    async send({ destination, accountId, body }) {
      const { topic, qos, retain, ...broker } = destination as MqttDestination
      const used = connectionTo(broker, accountId)
      used.users += 1
      try {
        await used.connection.publish(topic, body, { qos, retain })
      } finally {
        used.users -= 1
        used.usedAtMs = clock.steady()
      }
    },
    async close() {
      closing.abort()
      await sweeping
      await Promise.all([...closings, ...[...kept.values()].map(({ connection }) => connection.close())])
      kept.clear()
    },
  }
}

/**
 * `user@host:port`, as the output was written. One login or address that leaves says nothing of another that stays, also
 * where both are of the same broker. What means something in topics is written as in URLs.
 */
function nameOf({ host, port, username }: Broker): string {
  return `${username === undefined ? '' : `${encodeURIComponent(username)}@`}${host}:${port}`
}
