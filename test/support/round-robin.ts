import { createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'

/** A balancer in front of several nodes, without any stickiness: each request goes to the next one. */
export interface RoundRobin {
  readonly url: string
  /** How many requests each was given. */
  readonly counts: readonly number[]
  close(): Promise<void>
}

export async function startRoundRobin(urls: readonly string[], port = 0): Promise<RoundRobin> {
  const counts = urls.map(() => 0)
  let next = 0

  function send(request: IncomingMessage) {
    const at = next
    next = (next + 1) % urls.length
    counts[at]! += 1
    const headers = { ...request.headers, 'x-forwarded-host': request.headers.host }
    return httpRequest(new URL(request.url!, urls[at]), { method: request.method, headers, agent: false })
  }

  const server = createServer((request, response) => {
    const sent = send(request)
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      response.flushHeaders()
      pipeline(answer, response, () => {})
    })
    sent.on('error', () => response.destroy())
    response.once('close', () => sent.destroy())
    request.pipe(sent)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const sent = send(request)
    socket.on('error', () => sent.destroy())
    sent.on('error', () => socket.destroy())
    sent.on('upgrade', (answer, upgraded) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      pipeline(socket, upgraded, () => {})
      pipeline(upgraded, socket, () => {})
    })
    sent.on('response', (answer) => {
      socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nconnection: close\r\n\r\n`)
      pipeline(answer, socket, () => {})
    })
    sent.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
