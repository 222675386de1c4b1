import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { type Clock } from '../core/clock.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

export interface MqttChannelDeps {
  readonly parameters: Extract<TelemetryCfg, { type: 'mqtt' }>['parameters']
  /** The address to connect to: resolves the name and checks that it may be called. Asked before each attempt. */
  readonly dial: (hostname: string, port: number) => Promise<string>
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
const MOST_PACKET_BYTES = 1024 * 1024
const CONNECT_WITHIN_MS = 10_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export function openMqttChannel({ parameters, dial, onMessage, onState, clock }: MqttChannelDeps): MqttChannel {
  const leaving = new AbortController()
  const { signal } = leaving
  let client: MqttClient | undefined
  const done = keepListening()

  async function keepListening(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await listenOnce(() => (failures = 0))
      } catch (error) {
        if (!signal.aborted) onState((error as Error).message)
      }
      await clock.sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10)), signal)
    }
  }

  /** Rejects when the connection has ended. */
  async function listenOnce(onConnected: () => void): Promise<void> {
    const host = await dial(parameters.ip, parameters.port)
    if (signal.aborted) return
    await new Promise<void>((_resolve, reject) => {
      const connection = connect(optionsFor(host))
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
      // A packet may have 256 MB, and the library gathers all of it before anybody can look.
      let unread = 0
      connection.stream.on('data', (chunk: Buffer) => {
        unread += chunk.length
        if (unread > MOST_PACKET_BYTES) fail(`The broker sends a message of more than ${MOST_PACKET_BYTES} bytes.`)
      })
      connection.on('packetreceive', () => (unread = 0))
      connection.on('message', (topic, payload) => onMessage(payload, topic))
      connection.on('error', (error) => fail(`The broker ${parameters.ip}:${parameters.port} says: ${error.message}`))
      connection.on('close', () => fail(`There is no connection to the broker ${parameters.ip}:${parameters.port}.`))
    })
  }

  function optionsFor(host: string): IClientOptions {
    const { ip, port, username, password, tls = false } = parameters
    return {
      host,
      port,
      protocol: tls ? 'mqtts' : 'mqtt',
      ...(tls && { servername: ip }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      clean: true,
      connectTimeout: CONNECT_WITHIN_MS,
      // We come back ourselves, because the address is to be checked anew each time.
      reconnectPeriod: 0,
    }
  }

  return {
    async close() {
      leaving.abort()
      client?.end(true)
      await done
    },
  }
}
