import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo } from 'node:net'

export interface ReverseProxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * A proxy in front of a service on the same machine, as people set one up: it passes everything on with the visitor's address
 * appended to `X-Forwarded-For`. All visitors of tests are on loopback, so the address is one that the test chooses.
 */
export async function startReverseProxy(target: string, visitor: () => string): Promise<ReverseProxy> {
  const server = createServer((incoming, outgoing) => {
    const { 'x-forwarded-for': before, ...headers } = incoming.headers
    const chain = [before, visitor()].flat().filter((one) => one !== undefined)
    const passedOn = request(
      new URL(incoming.url!, target),
      { method: incoming.method, headers: { ...headers, 'x-forwarded-for': chain.join(', ') }, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passedOn.on('error', () => outgoing.destroy())
    incoming.pipe(passedOn)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
