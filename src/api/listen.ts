import { type AddressInfo } from 'node:net'
import { type FastifyInstance } from 'fastify'
import { listenFailure, type ListeningServer } from '../core/listen-failure.ts'

/** Resolves with the port, which is a free one for 0; rejects with a sentence when it cannot be opened. */
export async function listenForHttp(
  server: FastifyInstance,
  host: string,
  port: number,
  name: ListeningServer = 'HTTP',
): Promise<number> {
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(name, port, error)
  })
  return (server.server.address() as AddressInfo).port
}
