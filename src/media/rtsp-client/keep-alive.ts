import { type RtspClientConnection } from './connection.ts'

/** Half of the shortest timeout that servers use (RFC 2326 §12.37: 60 s). */
const EVERY_MS = 25_000

/** Asks the server for nothing now and then, so that it keeps the session. */
export function keepAlive(connection: RtspClientConnection, url: string, session: string): { stop(): void } {
  const timer = setInterval(() => {
    // A refusal is a sign of life too; a closed connection tells of itself.
    connection.request('OPTIONS', url, { Session: session }).catch(() => {})
  }, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
