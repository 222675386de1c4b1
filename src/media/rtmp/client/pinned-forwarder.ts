import { once } from 'node:events'
import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { connectionFailure } from '../../../outbound/connection-failure.ts'

/**
 * A door on loopback behind which is one server, whatever the client that knocks would rather connect to:
 *
 *   FFmpeg ──▶ 127.0.0.1:port ──▶ the address that was checked
 *
 * What is copied waits in the sockets' own buffers, so a side that takes nothing stops the other.
 */
export interface PinnedForwarder {
  readonly port: number
  /** Why the server could not be reached; undefined if it could. */
  readonly failure: string | undefined
  close(): Promise<void>
}

export interface ForwarderOptions {
  /** The address that was checked, and is dialled. */
  readonly address: string
  readonly port: number
  /** The name on the server's certificate; undefined without TLS. */
  readonly tlsName: string | undefined
  /** How many connections are let in, one after the other; after the last the door is closed. */
  readonly maxConnections: number
  /** How long connecting may take, and how long nothing may be copied. */
  readonly timeoutMs: number
}

export async function openPinnedForwarder(options: ForwarderOptions): Promise<PinnedForwarder> {
  const { address, port, tlsName, maxConnections, timeoutMs } = options
  const sockets = new Set<Socket>()
  let accepted = 0
  let failure: string | undefined

  function dial(): Socket {
    if (tlsName === undefined) return connect({ host: address, port })
    return connectTls({ host: address, port, servername: isIP(tlsName) ? '' : tlsName })
  }

  function join(client: Socket): void {
    const server = dial()
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.setTimeout(timeoutMs, () => {
        failure ??= 'Connection timed out.'
        end()
      })
      socket.on('error', (error) => {
        if (socket === server) failure ??= connectionFailure(error)
      })
      socket.once('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    // Nothing is read from the client before the server is there, and its certificate has been verified.
    server.once(tlsName === undefined ? 'connect' : 'secureConnect', () => {
      client.pipe(server)
      server.pipe(client)
    })
  }

  const listener = createServer((client) => {
    accepted += 1
    if (accepted >= maxConnections) listener.close()
    if (accepted <= maxConnections) join(client)
    else client.destroy()
  })
  listener.listen({ port: 0, host: '127.0.0.1', backlog: 1 })
  await once(listener, 'listening')
  // No descriptor left for another connection: FFmpeg's timeout says the rest.
  listener.on('error', (error) => (failure ??= connectionFailure(error)))
  const closed = new Promise<void>((resolve) => listener.once('close', () => resolve()))

  return {
    port: (listener.address() as AddressInfo).port,
    get failure() {
      return failure
    },
    async close() {
      if (listener.listening) listener.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
