import { type Socket } from 'node:net'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { endWithProblem } from './problem.ts'
import { hasBody } from './unread-body.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** Requests of one connection that are under way. Node reads on while it answers; nobody who means well sends many ahead. */
  readonly maxPipelined: number
  /** For a body that is no upload, from the first byte of its request to its last. */
  readonly bodyWithinMs: number
}

const DEFAULT_LIMITS: ConnectionLimits = { maxConnections: 4_000, maxPipelined: 16, bodyWithinMs: 20_000 }

interface Connection {
  underWay: number
  /** Of these, requests of somebody who was let in. */
  granted: number
}

/**
 * What strangers may hold: connections, requests that wait for their answer, and bodies that never end. Where there is no room the
 * oldest connection goes on which nobody was let in, so that idle ones keep nobody out.
 */
export function addConnectionLimits(app: FastifyInstance, given: Partial<ConnectionLimits> = {}): void {
  const { maxConnections, maxPipelined, bodyWithinMs } = { ...DEFAULT_LIMITS, ...given }
  /** Oldest first. */
  const connections = new Map<Socket, Connection>()

  const onConnection = (socket: Socket) => {
    connections.set(socket, { underWay: 0, granted: 0 })
    socket.once('close', () => connections.delete(socket))
    if (connections.size > maxConnections) evictOldest()
  }
  app.server.on('setSecureContext' in app.server ? 'secureConnection' : 'connection', onConnection)

  function evictOldest(): void {
    for (const [socket, { granted }] of connections) if (granted === 0) return void socket.destroy()
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const connection = connections.get(socket)
    if (!connection) return done()
    if (socket.destroyed || connection.underWay >= maxPipelined) {
      reply.hijack()
      socket.destroy()
      return done()
    }
    connection.underWay++
    reply.raw.once('close', () => connection.underWay--)
    if (hasBody(request.raw) && !request.routeOptions.config.isUpload) watchBody(request)
    done()
  })

  function watchBody({ raw }: FastifyRequest): void {
    const timer = setTimeout(() => endWithProblem(raw.socket, new AppError('request-timeout')), bodyWithinMs)
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  }

  // By now it is known who asks.
  app.addHook('preParsing', async (request, reply) => {
    const connection = request.account && connections.get(request.raw.socket)
    if (!connection) return
    connection.granted++
    reply.raw.once('close', () => connection.granted--)
  })
}
