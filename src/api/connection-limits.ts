import { type Socket } from 'node:net'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type ConnectionShares, createConnectionShares } from '../core/connection-shares.ts'
import { AppError } from '../core/errors.ts'
import { watchPieces } from './body-pieces.ts'
import { endWithProblem } from './problem.ts'
import { hasBody } from './unread-body.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** Requests of one connection that are under way. Node reads on while it answers; nobody who means well sends many ahead. */
  readonly maxPipelined: number
  /** For a body that is no upload, once its request's head is there. */
  readonly bodyWithinMs: number
}

const TOO_MANY_PIECES = new AppError('request-malformed', {
  reason: 'its body comes in thousands of tiny chunks; send larger ones.',
})

const DEFAULT_LIMITS: ConnectionLimits = { maxConnections: 4_000, maxPipelined: 16, bodyWithinMs: 20_000 }

/**
 * What clients may hold: connections, requests that wait for their answer, and bodies that never end. Returns what adds the rest once
 * the caller is known.
 */
export function addConnectionLimits(app: FastifyInstance, given: Partial<ConnectionLimits> = {}): () => void {
  const { maxConnections, maxPipelined, bodyWithinMs } = { ...DEFAULT_LIMITS, ...given }
  const connections: ConnectionShares<Socket> = createConnectionShares()
  /** By the client's end: a request has the socket that TLS made of ours. */
  const socketOf = new Map<string, Socket>()
  const underWay = new WeakMap<Socket, number>()

  // With TLS this is before the handshake: one that never ends it counts too.
  app.server.on('connection', (socket: Socket) => {
    const end = endOf(socket)
    socketOf.set(end, socket)
    connections.add(socket, socket.remoteAddress ?? '')
    socket.once('close', () => {
      connections.delete(socket)
      if (socketOf.get(end) === socket) socketOf.delete(end)
    })
    if (connections.size > maxConnections) connections.oldestOfLargest()?.destroy()
  })

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const count = underWay.get(socket) ?? 0
    if (socket.destroyed || count >= maxPipelined) {
      reply.hijack()
      socket.destroy()
      return done()
    }
    underWay.set(socket, count + 1)
    reply.raw.once('close', () => underWay.set(socket, underWay.get(socket)! - 1))
    watchPieces(request.raw, () => endWithProblem(socket, TOO_MANY_PIECES))
    done()
  })

  // Bodies are read from here on: until its turn comes, a request's stays where it is.
  app.addHook('preParsing', async (request) => {
    if (hasBody(request.raw) && !request.routeOptions.config.isUpload) watchBody(request)
  })

  function watchBody({ raw }: FastifyRequest): void {
    const timer = setTimeout(() => endWithProblem(raw.socket, new AppError('request-timeout')), bodyWithinMs)
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  }

  return () =>
    app.addHook('onRequest', async (request) => {
      const socket = request.account && socketOf.get(endOf(request.raw.socket))
      if (socket) connections.give(socket, request.account.id)
    })
}

/** The client's end of a connection, which no other has at the same time. */
export function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
