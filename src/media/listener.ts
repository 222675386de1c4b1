import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { withoutMapping } from '../core/ip-address.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type RefusalLog } from '../observe/refusal-log.ts'
import { type ConnectionAdmission } from './connection-admission.ts'
import { type Publication } from './publication.ts'

/** A port to be opened. */
export interface PortOptions {
  /** 0 for any free one. */
  readonly port: number
  /** With it the protocol is spoken by TLS. Asked for at each connection, since certificates are renewed. */
  readonly secureContext?: () => SecureContext
}

/** A client that was admitted. */
export interface Client {
  readonly socket: Socket
  /** It came by TLS. */
  readonly isEncrypted: boolean
  readonly remoteAddress: string
  /** The address on which it reached us. */
  readonly localAddress: string
  /** It may read, and a camera is called for it first. */
  onCameraCalled(): void
  /** The hub has let it publish or read. */
  onAccepted(accepted: Accepted): void
  /** It publishes or plays from now on, or has stopped. */
  onStreaming(isStreaming: boolean): void
}

/** What the hub has let a client use, as far as its admission depends on it. */
export type Accepted = Pick<Publication, 'path' | 'isInternal'>

export interface ListenerOptions {
  readonly host: string
  readonly admission: ConnectionAdmission
  readonly refusals: RefusalLog
  readonly serve: (client: Client) => void
  /** A port is open, but a connection could not be accepted. */
  readonly onError: (error: Error) => void
}

/** The ports on which one protocol is spoken: what comes by TLS is admitted and bounded like the rest. */
export interface Listener {
  /** Opens a port; resolves with its number. */
  listen(options: PortOptions): Promise<number>
  /** Accepts no more connections; resolves when every connection is closed. */
  close(): Promise<void>
}

/** Detects clients whose network is lost. */
const KEEP_ALIVE_MS = 15_000

export function createListener(options: ListenerOptions): Listener {
  const { host, admission, refusals, serve, onError } = options
  const servers: Server[] = []

  function admit(socket: Socket, secureContext: PortOptions['secureContext']): void {
    const remoteAddress = withoutMapping(socket.remoteAddress ?? '')
    const admitted = admission.admit(remoteAddress, (reason) => {
      refusals.note({ remoteAddress, reason }, 'A connection was ended that published and played nothing.')
      socket.destroy()
    })
    if (!admitted) {
      refusals.note({ remoteAddress }, 'A connection was refused: there are too many already.')
      return void socket.destroy()
    }
    // Before the handshake of TLS ends: clients that never end it count too.
    socket.once('close', () => admitted.leave())
    serve({
      socket: secureContext ? secured(socket, secureContext()) : socket,
      isEncrypted: secureContext !== undefined,
      remoteAddress,
      localAddress: withoutMapping(socket.localAddress ?? ''),
      onCameraCalled: () => admitted.extendForCamera(),
      onAccepted: ({ path, isInternal }) => admitted.accept({ account: ownerOfPath(path), isInternal }),
      onStreaming: (isStreaming) => admitted.setStreaming(isStreaming),
    })
  }

  return {
    async listen({ port, secureContext }) {
      const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) =>
        admit(socket, secureContext),
      )
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', onError)
      servers.push(server)
      return (server.address() as AddressInfo).port
    },
    async close() {
      await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

function secured(socket: Socket, secureContext: SecureContext): Socket {
  const secure = new TLSSocket(socket, { isServer: true, secureContext })
  // Without TLS around it, what is left is a bare connection that is of no use.
  secure.once('close', () => socket.destroy())
  socket.on('error', () => secure.destroy())
  return secure
}
