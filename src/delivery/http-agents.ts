import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Duplex } from 'node:stream'

export interface HttpAgentsOptions {
  /** How long a connection stays open for the next call. */
  readonly idleMs?: number | undefined
  /** To all hosts together; what comes back when so many are idle is closed. */
  readonly maxIdle?: number | undefined
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string | undefined
}

/** Connections that are used again, within bounds. */
export interface HttpAgents {
  readonly plain: HttpAgent
  readonly tls: HttpsAgent
  close(): void
}

export function createHttpAgents({ idleMs = 30_000, maxIdle = 256, ca }: HttpAgentsOptions): HttpAgents {
  const options = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo', timeout: idleMs } as const
  const plain = new HttpAgent(options)
  const tls = new HttpsAgent({ ...options, ...(ca !== undefined && { ca }) })
  const agents = [plain, tls]

  const countIdle = () =>
    agents
      .flatMap(({ freeSockets }) => Object.values(freeSockets))
      .reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0)
  for (const agent of agents) {
    // False closes the connection, although the types say that nothing is answered.
    const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent)
    agent.keepSocketAlive = (socket) => countIdle() < maxIdle && keep(socket)
  }

  return {
    plain,
    tls,
    close() {
      for (const agent of agents) agent.destroy()
    },
  }
}
