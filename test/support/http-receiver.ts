import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { until } from './until.ts'

export interface ReceivedCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** When it had come completely, by a clock that only goes forward. */
  readonly atMs: number
  /** What it was answered by; undefined as long as it is not. */
  status?: number
}

/** A real HTTP server that keeps the calls it receives. */
export interface HttpReceiver {
  readonly port: number
  readonly url: string
  readonly calls: ReceivedCall[]
  /** How many came over how many connections. */
  readonly connections: () => number
  answerBy(answer: Answering): void
  /** Resolves when this many calls have come. */
  received(count: number, withinMs?: number): Promise<ReceivedCall[]>
  close(): Promise<void>
}

export type Answering = (call: ReceivedCall, response: ServerResponse) => void

const ok: Answering = (_call, response) => void response.writeHead(204).end()

export async function createHttpReceiver(answer: Answering = ok, port = 0): Promise<HttpReceiver> {
  const calls: ReceivedCall[] = []
  let connections = 0
  let answering = answer
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const call: ReceivedCall = { path: request.url!, headers: request.headers, body, atMs: performance.now() }
      calls.push(call)
      response.on('finish', () => (call.status = response.statusCode))
      answering(call, response)
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/hook`,
    calls,
    connections: () => connections,
    answerBy: (next) => void (answering = next),
    async received(count, withinMs = 5_000) {
      await until(async () => calls.length >= count, withinMs)
      return calls
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
