import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { withoutMapping } from '../core/ip-address.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type RefusalLog } from '../observe/refusal-log.ts'
import { type ConnectionAdmission } from './connection-admission.ts'
import { type Publication } from './publication.ts'

/** PEM texts. */
export interface Certificate {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

/** One that was admitted. */
export interface Client {
  /** Encrypted where there is a certificate. */
  readonly socket: Socket
  readonly remoteAddress: string
  /** The address on which it reached us. */
  readonly localAddress: string
  /** The hub has let it publish or read. */
  onGranted(granted: Granted): void
  /** It publishes or plays from now on, or does so no more. */
  onStreaming(isStreaming: boolean): void
}

/** What the hub has let somebody have, as far as its place here depends on it. */
export type Granted = Pick<Publication, 'path' | 'isInternal'>

export interface ListenerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls: Certificate | undefined
  readonly admission: ConnectionAdmission
  readonly refusals: RefusalLog
  readonly serve: (client: Client) => void
  /** The port is open, but a connection could not be taken. */
  readonly onError: (error: Error) => void
}

/** A port on which one protocol is spoken. */
export interface Listener {
  listen(): Promise<{ readonly port: number }>
  /** Takes nobody in any more; resolves when every connection is closed. */
  close(): Promise<void>
}

/** Finds clients whose network has gone without a word. */
const KEEP_ALIVE_MS = 15_000

export function createListener(options: ListenerOptions): Listener {
  const { host, port, tls, admission, refusals, serve, onError } = options
  const secureContext = tls && createSecureContext(tls)
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, accept)

  function accept(socket: Socket): void {
    const remoteAddress = withoutMapping(socket.remoteAddress ?? '')
    const admitted = admission.admit(remoteAddress, (reason) => {
      refusals.note({ remoteAddress, reason }, 'A connection was ended that published and played nothing.')
      socket.destroy()
    })
    if (!admitted) {
      refusals.note({ remoteAddress }, 'A connection was refused: there are too many already.')
      return void socket.destroy()
    }
    // Before the handshake of TLS ends: who never ends it counts too.
    socket.once('close', () => admitted.leave())
    serve({
      socket: secured(socket),
      remoteAddress,
      localAddress: withoutMapping(socket.localAddress ?? ''),
      onGranted: ({ path, isInternal }) => admitted.grant({ account: ownerOfPath(path), isInternal }),
      onStreaming: (isStreaming) => admitted.setStreaming(isStreaming),
    })
  }

  function secured(socket: Socket): Socket {
    if (!secureContext) return socket
    const secure = new TLSSocket(socket, { isServer: true, secureContext })
    // Without TLS around it, what is left is a bare connection that nobody speaks on.
    secure.once('close', () => socket.destroy())
    socket.on('error', () => secure.destroy())
    return secure
  }

  return {
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', onError)
      return { port: (server.address() as AddressInfo).port }
    },
    async close() {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
