import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes connections on to a server that seems to go away and to come back, as a machine elsewhere does. */
export interface TcpRelay {
  readonly port: number
  /** Ends what is connected, and refuses what comes. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Keeps what is connected, takes what comes, and passes nothing on, as a machine that hangs does; until it goes on. */
  stall(): void
  goOn(): void
  close(): Promise<void>
}

export async function startTcpRelay(targetPort: number): Promise<TcpRelay> {
  const sockets = new Map<Socket, Socket>()
  let isStalled = false
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.set(socket, other)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      if (!isStalled) socket.pipe(other)
    }
  })
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
  async function cut(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets.keys()) socket.destroy()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut,
    mend: () => listen(port),
    stall() {
      isStalled = true
      for (const [socket, other] of sockets) socket.unpipe(other)
    },
    goOn() {
      isStalled = false
      for (const [socket, other] of sockets) socket.pipe(other)
    },
    close: async () => void (server.listening && (await cut())),
  }
}
