import { once } from 'node:events'
import { connectAsync } from 'mqtt'
import { WebSocket } from 'ws'
import { UsageError } from './command.ts'

/** Where simulated telemetry goes. */
export interface FlightSender {
  send(message: string): Promise<void>
  /** Aborts when the other side has gone. */
  readonly gone: AbortSignal
  close(): Promise<void>
}

export function printingSender(print: (line: string) => void): FlightSender {
  return { send: async (message) => print(message), gone: new AbortController().signal, close: async () => {} }
}

/** `mqtt[s]://[user:password@]host[:port]/topic` */
export async function openMqttSender(address: string): Promise<FlightSender> {
  const url = parseUrl(address, ['mqtt:', 'mqtts:'])
  const topic = decodeURIComponent(url.pathname.slice(1))
  if (!topic) throw new UsageError('the topic is missing: --mqtt mqtt://host:1883/drone/1/telemetry')
  const broker = new URL(address)
  broker.pathname = ''
  // One that is not there now is a mistake of the caller; one that goes later is waited for.
  const client = await connectAsync(broker.href, { connectTimeout: 5_000 }, false).catch((error: unknown) => {
    throw new Error(`The broker ${url.host} does not answer: ${(error as Error).message || 'connection refused'}.`)
  })
  return {
    // At most once: old telemetry is worth nothing after a reconnect.
    send: async (message) => void (client.connected && client.publish(topic, message, { qos: 0 })),
    gone: new AbortController().signal,
    close: () => client.endAsync(),
  }
}

/** The `telemetry_url` of a process, which carries its key. */
export async function openSocketSender(address: string, onAnswer: (text: string) => void): Promise<FlightSender> {
  const url = parseUrl(address, ['ws:', 'wss:'])
  const socket = new WebSocket(url, { handshakeTimeout: 5_000 })
  const gone = new AbortController()
  socket.on('message', (data: Buffer) => onAnswer(data.toString()))
  socket.on('close', () => gone.abort())
  try {
    await once(socket, 'open')
  } catch (error) {
    throw new Error(`The websocket of ${url.host}${url.pathname} does not open: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  // What goes wrong later shows as the close.
  socket.on('error', () => {})
  return {
    send: async (message) => socket.send(message),
    gone: gone.signal,
    async close() {
      if (gone.signal.aborted) return
      socket.close()
      await once(gone.signal, 'abort')
    },
  }
}

function parseUrl(address: string, protocols: readonly string[]): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !protocols.includes(url.protocol))
    throw new UsageError(`an address begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
  return url
}
