import { type MqttClient } from 'mqtt'
import { type Clock } from '../core/clock.ts'
import { keepTrying } from '../core/retry.ts'
import { brokerComplaint, connectToBroker } from '../outbound/mqtt-client.ts'
import { createBrokerBudget } from '../outbound/packet-guard.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Dial } from '../outbound/dial.ts'

export interface MqttChannelDeps {
  readonly parameters: Extract<TelemetryCfg, { type: 'mqtt' }>['parameters']
  readonly dial: Dial
  readonly onMessage: (payload: Uint8Array, topic: string) => void
  /** What is wrong; null when it is connected. */
  readonly onState: (sentence: string | null) => void
  readonly clock: Clock
}

/** Listens to a topic of somebody's broker for as long as it is wanted, whatever that broker does. */
export interface MqttChannel {
  close(): Promise<void>
}

/** Far more than a message of telemetry has. */
const MAX_PACKET_BYTES = 1024 * 1024
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 15_000

export function openMqttChannel({ parameters, dial, onMessage, onState, clock }: MqttChannelDeps): MqttChannel {
  const leaving = new AbortController()
  const { signal } = leaving
  const budget = createBrokerBudget(clock)
  let client: MqttClient | undefined
  const done = keepTrying((_attempt, onConnected) => listenOnce(onConnected), {
    clock,
    signal,
    firstWaitMs: FIRST_WAIT_MS,
    maxWaitMs: MAX_WAIT_MS,
    onFailure(sentence) {
      if (!signal.aborted) onState(sentence)
    },
  })

  /** Rejects when the connection has ended. */
  async function listenOnce(onConnected: () => void): Promise<void> {
    const { ip: host, port, username, password, tls = false } = parameters
    const address = await dial(host, port)
    if (signal.aborted) return
    await new Promise<void>((_resolve, reject) => {
      const connection = connectToBroker({
        access: { host, port, tls, username, password },
        address,
        budget,
        maxPacketBytes: MAX_PACKET_BYTES,
        isListening: true,
      })
      client = connection
      const fail = (sentence: string) => {
        connection.end(true)
        reject(new Error(sentence))
      }
      connection.on('connect', () => {
        connection.subscribe(parameters.topic, { qos: 0 }, (error, granted) => {
          if (error || granted?.some(({ qos }) => qos >= 128))
            return fail(`The broker does not let us read ${parameters.topic}.`)
          onConnected()
          onState(null)
        })
      })
      connection.on('message', (topic, payload) => onMessage(payload, topic))
      connection.on('error', (error) => fail(brokerComplaint(`${host}:${port}`, error)))
      connection.on('close', () => fail(`There is no connection to the broker ${host}:${port}.`))
    })
  }

  return {
    async close() {
      leaving.abort()
      client?.end(true)
      await done
    },
  }
}
