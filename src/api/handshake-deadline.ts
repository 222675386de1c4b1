import { type Server } from 'node:https'
import { type Socket } from 'node:net'
import { endOf } from './connection-limits.ts'

const HANDSHAKE_MS = 10_000

/** Ends handshakes of TLS that take too long. Node's own timeout begins anew with each byte, so a client that sends one now and then would stay. */
export function addHandshakeDeadline(server: Server, withinMs = HANDSHAKE_MS): void {
  /** By the client's end: what is secure is another socket than the one that was accepted. */
  const deadlines = new Map<string, NodeJS.Timeout>()

  server.on('connection', (socket: Socket) => {
    const end = endOf(socket)
    const deadline = setTimeout(() => socket.destroy(), withinMs)
    deadlines.set(end, deadline)
    socket.once('close', () => {
      clearTimeout(deadline)
      if (deadlines.get(end) === deadline) deadlines.delete(end)
    })
  })
  server.on('secureConnection', (socket) => clearTimeout(deadlines.get(endOf(socket))))
}
