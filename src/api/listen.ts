import { type AddressInfo } from 'node:net'
import { type FastifyInstance } from 'fastify'

/** Resolves with the port, which is a free one for 0; rejects with a sentence when another program has it. */
export async function listenForHttp(server: FastifyInstance, host: string, port: number): Promise<number> {
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Another program uses port ${port}; set AERIE_HTTP_PORT to another one.`, { cause: error })
  })
  return (server.server.address() as AddressInfo).port
}
