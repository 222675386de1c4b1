import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A balancer of connections: each one goes to the next of the hosts, to the port at which it came. */
export interface ConnectionBalancer {
  close(): Promise<void>
}

export async function startConnectionBalancer(hosts: readonly string[], port: number): Promise<ConnectionBalancer> {
  const sockets = new Set<Socket>()
  let next = 0
  const server = createServer((client) => {
    const node = connect(port, hosts[next])
    next = (next + 1) % hosts.length
    for (const [socket, other] of [
      [client, node],
      [node, client],
    ] as const) {
      sockets.add(socket)
      // Its closing follows.
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
