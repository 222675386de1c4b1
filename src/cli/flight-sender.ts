import { once } from 'node:events'
import { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { connectAsync } from 'mqtt'
import { WebSocket } from 'ws'
import { parseBrokerTopic } from './broker-topic.ts'
import { UsageError } from './command.ts'
import { type Output } from './output.ts'

/** Where simulated telemetry goes. */
export interface FlightSender {
  send(message: string): Promise<void>
  /** Aborts when the other side has gone. */
  readonly gone: AbortSignal
  close(): Promise<void>
}

export function printingSender(output: Output): FlightSender {
  const gone = new AbortController()
  return {
    async send(message) {
      if (!(await output.write(`${message}\n`))) gone.abort()
    },
    gone: gone.signal,
    close: async () => {},
  }
}

/** `mqtt[s]://[user:password@]host[:port]/topic` */
export async function openMqttSender(address: string): Promise<FlightSender> {
  const { hostname, port, isTls, topic, credentials } = parseBrokerTopic(address, '--mqtt')
  const options = { ...credentials, connectTimeout: 5_000 }
  const url = `${isTls ? 'mqtts' : 'mqtt'}://${hostname}:${port}`
  // One that is not there now is a mistake of the caller; one that goes later is waited for.
  const client = await connectAsync(url, options, false).catch((error: unknown) => {
    const reason = (error as Error).message || 'connection refused'
    throw new Error(`The broker ${hostname}:${port} does not answer: ${reason}.`)
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
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['ws:', 'wss:'].includes(url.protocol)) throw new UsageError('--ws begins with ws:// or wss://')
  const socket = new WebSocket(url, { handshakeTimeout: 5_000 })
  const gone = new AbortController()
  socket.on('message', (data: Buffer) => onAnswer(data.toString()))
  socket.on('close', () => gone.abort())
  let refusal: Promise<string> | undefined
  socket.on('unexpected-response', (_request, response) => {
    refusal = sentenceOf(response).finally(() => socket.terminate())
  })
  try {
    await once(socket, 'open')
  } catch (error) {
    const reason = (await refusal) ?? `${(error as Error).message}.`
    throw new Error(`The websocket of ${url.host}${url.pathname} does not open: ${reason}`, { cause: error })
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

/** What the service says about why, in the words of its problem details. */
async function sentenceOf(response: IncomingMessage): Promise<string> {
  const body = await text(response).catch(() => '')
  try {
    const { detail } = JSON.parse(body) as { detail?: string }
    if (detail) return detail
  } catch {
    // Somebody else answered.
  }
  return `it was answered by ${response.statusCode}.`
}
