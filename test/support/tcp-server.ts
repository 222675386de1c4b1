import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server that speaks what the test wants it to, on this machine. */
export interface TcpServer {
  readonly port: number
  /** All connections that there were. */
  readonly sockets: Socket[]
  readonly openCount: number
  close(): Promise<void>
}

export async function createTcpServer(onConnection: (socket: Socket) => void): Promise<TcpServer> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    // Whoever is dropped says so in ways of their own.
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    get openCount() {
      return sockets.filter(({ destroyed }) => !destroyed).length
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
