import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo } from 'node:net'

export interface ReceivedBody {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type BodyAnswering = (call: ReceivedBody, response: ServerResponse) => void

/** A real HTTP server that keeps what it receives, byte for byte. */
export interface BodyReceiver {
  readonly url: string
  readonly calls: ReceivedBody[]
  answerBy(answer: BodyAnswering): void
  close(): Promise<void>
}

export async function createBodyReceiver(tls?: { readonly cert: string; readonly key: string }): Promise<BodyReceiver> {
  const calls: ReceivedBody[] = []
  let answering: BodyAnswering = (_call, response) => void response.writeHead(200).end('{}')
  const server = tls ? createHttpsServer(tls) : createHttpServer()
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const call = { method, path, headers, body: Buffer.concat(chunks) }
      calls.push(call)
      answering(call, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    calls,
    answerBy: (answer) => void (answering = answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
