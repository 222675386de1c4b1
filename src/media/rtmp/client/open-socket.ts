import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type RtmpAddress } from './rtmp-address.ts'
import { RtmpClientError, sayFailure } from './server-sentence.ts'

export interface SocketOptions {
  /** The address that was checked and is dialled; the URL's host only names the server, in its certificate too. */
  readonly host: string
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
}

/** Finds a server whose network has gone while there was nothing to send. */
const KEEP_ALIVE_MS = 30_000

/** Resolves when connected, with TLS when the address asks for it. */
export function openSocket(address: RtmpAddress, { host, withinMs, signal, ca }: SocketOptions): Promise<Socket> {
  const { port, isTls, hostname, label } = address
  const servername = isIP(hostname) ? '' : hostname
  const socket = isTls ? connectTls({ host, port, servername, ca }) : connect({ host, port })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  return new Promise((resolve, reject) => {
    const fail = (sentence: string) => {
      socket.destroy()
      settle()
      reject(new RtmpClientError(sentence))
    }
    const timer = setTimeout(() => fail(`${label} could not be reached within ${withinMs / 1000} s.`), withinMs)
    const onAbort = () => fail('The connection is not wanted any more.')
    const onClose = () => fail(`${label} closed the connection at once.`)
    function settle(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.off('close', onClose)
    }

    // Stays for as long as the socket lives: an error without a listener would end the process.
    socket.on('error', (error: Error) => fail(sayFailure(label, error)))
    socket.once('close', onClose)
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      settle()
      resolve(socket)
    })
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
