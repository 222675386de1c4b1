import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type DetectionMessage } from '../../src/processes/detection-message.ts'
import { until } from './until.ts'

/** A client of `detection_data` that keeps everything it receives. */
export interface DetectionSocket {
  readonly messages: DetectionMessage[]
  readonly isOpen: boolean
  /** Resolves with the reason when the server has closed it. */
  readonly closed: Promise<string>
  /** Resolves when this many messages have come since now. */
  more(count: number, withinMs?: number): Promise<DetectionMessage[]>
  /** Resolves when nothing has come for this long. */
  quiet(forMs: number): Promise<void>
  /** Takes nothing more from the connection. */
  stall(): void
  goOn(): void
  close(): void
}

export async function connectDetections(url: string): Promise<DetectionSocket> {
  const socket = new WebSocket(url)
  const messages: DetectionMessage[] = []
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as DetectionMessage))
  const closed = new Promise<string>((resolve) => socket.once('close', (_code, reason) => resolve(reason.toString())))
  await once(socket, 'open')
  return {
    messages,
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    closed,
    async more(count, withinMs = 30_000) {
      const first = messages.length
      await until(async () => messages.length >= first + count, withinMs)
      return messages.slice(first)
    },
    async quiet(forMs) {
      let count: number
      do {
        count = messages.length
        await new Promise((resolve) => setTimeout(resolve, forMs))
      } while (messages.length > count)
    },
    stall: () => socket.pause(),
    goOn: () => socket.resume(),
    close: () => socket.terminate(),
  }
}

/** The status of a handshake that is refused. */
export async function refusedStatus(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url)
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }]
  socket.terminate()
  return response.statusCode
}

/** 101 of one that is accepted. */
export async function statusOfHandshake(url: string): Promise<number> {
  const socket = new WebSocket(url)
  socket.on('error', () => {})
  const opened = once(socket, 'open').then(() => 101)
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  )
  // Whichever does not come leaves its promise to the socket's end.
  opened.catch(() => {})
  refused.catch(() => {})
  const status = await Promise.race([opened, refused])
  socket.terminate()
  return status
}
