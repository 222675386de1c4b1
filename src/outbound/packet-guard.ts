import { type Packet } from 'mqtt'
import { createAllowance } from '../core/allowance.ts'
import { type Clock } from '../core/clock.ts'
import { BrokerFault, createPacketHeads, type PacketHead } from './packet-heads.ts'

/** What somebody's broker may send, over all connections to it: otherwise it would only have to hang up to begin anew. */
export interface BrokerBudget {
  /** Throws `BrokerFault`. */
  takeMessage(bytes: number): void
  takeUnasked(): void
}

/** A wildcard over a whole fleet has some hundreds of messages a second, and some thousands are retained for it. */
const MESSAGES = { burst: 10_000, perSecond: 2_000 }
const BYTES = { burst: 64 * 2 ** 20, perSecond: 4 * 2 ** 20 }
/** Packets that answer nothing of ours; a broker has hardly one of them. */
const UNASKED = { burst: 20, perSecond: 1 }

export function createBrokerBudget(clock: Clock): BrokerBudget {
  const messages = createAllowance(MESSAGES, clock)
  const bytes = createAllowance(BYTES, clock)
  const unasked = createAllowance(UNASKED, clock)
  return {
    takeMessage(size) {
      if (!messages.take())
        throw new BrokerFault(`sends more than ${MESSAGES.perSecond} messages a second; choose a narrower topic`)
      if (!bytes.take(size))
        throw new BrokerFault(`sends more than ${BYTES.perSecond} bytes a second; choose a narrower topic`)
    },
    takeUnasked() {
      if (!unasked.take()) throw new BrokerFault('sends more than it is asked for')
    },
  }
}

/** Looks at what a broker sends before the library does: that one parses all it is given before others have a turn. */
export interface PacketGuard {
  /** Notes what we send, so that its answer is none that nobody asked for. */
  expectAnswer(sent: Packet): void
  /** Cuts it into pieces for one turn of the event loop each. Throws `BrokerFault`. */
  readonly cut: (chunk: Buffer) => readonly Buffer[]
}

/** MQTT 5 §2.1.2. */
const KINDS = {
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  suback: 9,
  unsuback: 11,
  pingresp: 13,
}
/** Kinds that begin with the id of what they belong to (§2.2.1). */
const KINDS_WITH_ID = [KINDS.puback, KINDS.pubrec, KINDS.pubrel, KINDS.pubcomp, KINDS.suback, KINDS.unsuback]
const ID_BYTES = 2
const QOS_FLAGS = 0b0110
/** Work of about a millisecond. */
const MAX_PACKETS_PER_TURN = 100

export interface PacketGuardOptions {
  /** Kept from one connection to the next. */
  readonly budget: BrokerBudget
  readonly maxPacketBytes: number
  /** Whether we have subscribed to anything. */
  readonly isListening: boolean
}

export function createPacketGuard({ budget, maxPacketBytes, isListening }: PacketGuardOptions): PacketGuard {
  const expected = new Map<number, number>([[KINDS.connack, 1]])

  function check({ kind, flags, bytes, bodyBytes }: PacketHead): void {
    // The library would answer with an id that is none, and throw where nobody catches.
    if (KINDS_WITH_ID.includes(kind) && bodyBytes < ID_BYTES) throw new BrokerFault('sends what is not MQTT')
    if (kind === KINDS.publish && !isListening) throw new BrokerFault('sends messages that nobody asked for')
    if (bytes > maxPacketBytes) throw new BrokerFault(`sends a message of more than ${maxPacketBytes} bytes`)
    if (kind === KINDS.publish) {
      // We subscribe with QoS 0, and no broker may send more than it is asked for (MQTT 3.1.1 §3.8.3, §3.8.4). The library
      // would answer an id that is missing, which is not seen here.
      if ((flags & QOS_FLAGS) !== 0)
        throw new BrokerFault('sends messages that want a receipt, which it was not asked for')
      return budget.takeMessage(bytes)
    }
    const open = expected.get(kind) ?? 0
    if (open === 0) return budget.takeUnasked()
    expected.set(kind, open - 1)
  }

  return {
    expectAnswer(sent) {
      for (const kind of answersTo(sent)) expected.set(kind, (expected.get(kind) ?? 0) + 1)
    },
    cut: createPacketHeads(check, MAX_PACKETS_PER_TURN),
  }
}

function answersTo(sent: Packet): readonly number[] {
  switch (sent.cmd) {
    case 'publish':
      return sent.qos === 1 ? [KINDS.puback] : sent.qos === 2 ? [KINDS.pubrec, KINDS.pubcomp] : []
    case 'subscribe':
      return [KINDS.suback]
    case 'unsubscribe':
      return [KINDS.unsuback]
    case 'pingreq':
      return [KINDS.pingresp]
    default:
      return []
  }
}
