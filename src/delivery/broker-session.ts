import { randomBytes } from 'node:crypto'
import { type MqttClient } from 'mqtt'
import { type MqttDestination } from '../core/outbound-message.ts'
import { brokerComplaint, connectToBroker, type MqttConnectionOptions } from '../outbound/mqtt-client.ts'
import { type ConnectOutcome, type ConnectVariant } from './connect-variants.ts'

export type Broker = Pick<MqttDestination, 'host' | 'port' | 'tls' | 'username' | 'password'>

export interface BrokerSessionDeps {
  readonly broker: Broker
  readonly address: string
  readonly variant: ConnectVariant
  /** Where it says `online` and, by its last will, `offline`; both retained. */
  readonly availabilityTopic: string
  readonly budget: MqttConnectionOptions['budget']
  readonly ca?: string | undefined
  /** From now on messages can be published, so many at once. */
  readonly onConnected: (maxInFlight: number) => void
  /** The broker has taken a message; without a last will there is none to try it with, and being connected is enough. */
  readonly onAccepted: () => void
  /** Once. With an outcome when the broker ended it after we had sent something. */
  readonly onEnded: (sentence: string, outcome: ConnectOutcome | undefined) => void
}

/** One MQTT connection, from dialling to its end. */
export interface BrokerSession {
  readonly client: MqttClient
  end(sentence: string): void
}

/** Receipts and the like are far smaller. */
const MAX_PACKET_BYTES = 64 * 1024
/** Unacknowledged at once; a broker may say fewer (MQTT 5 §3.3.4), and most take no more than twenty. */
export const MAX_IN_FLIGHT = 20

export function openBrokerSession(deps: BrokerSessionDeps): BrokerSession {
  const { broker, variant, availabilityTopic, onConnected, onAccepted, onEnded } = deps
  const name = `${broker.host}:${broker.port}`
  const client = connect(deps)
  let [isReached, isAnswered, isAccepted, isOver] = [false, false, false, false]

  function end(sentence: string, outcome?: ConnectOutcome): void {
    if (isOver) return
    isOver = true
    onEnded(sentence, outcome)
    client.end(true)
  }
  const fail = (sentence: string) => end(sentence, isReached ? { isAnswered, isAccepted } : undefined)
  const accept = () => {
    isAccepted = true
    onAccepted()
  }

  client.stream.once('connect', () => (isReached = true))
  client.stream.once('data', () => (isAnswered = true))
  client.on('packetreceive', ({ cmd }) => {
    if (cmd === 'puback' || cmd === 'pubrec') accept()
  })
  client.on('connect', ({ properties }) => {
    if (!variant.hasWill) accept()
    else client.publish(availabilityTopic, 'online', { qos: 1, retain: true }, () => {})
    onConnected(Math.min(MAX_IN_FLIGHT, properties?.receiveMaximum ?? MAX_IN_FLIGHT))
  })
  client.on('error', (error) => fail(brokerComplaint(name, error)))
  client.on('close', () => fail(`There is no connection to the broker ${name}.`))

  return { client, end: (sentence) => end(sentence) }
}

function connect({ broker, address, variant, availabilityTopic, budget, ca }: BrokerSessionDeps): MqttClient {
  const will = { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true } as const
  return connectToBroker({
    access: broker,
    address,
    ca,
    budget,
    maxPacketBytes: MAX_PACKET_BYTES,
    isListening: false,
    mqtt: {
      protocolVersion: variant.protocolVersion,
      clientId: `aerie-${randomBytes(8).toString('hex')}`,
      ...(variant.hasWill && { will }),
    },
  })
}
