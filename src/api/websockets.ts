import { type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import websocket from '@fastify/websocket'
import { type FastifyInstance } from 'fastify'
import { type WebSocket } from 'ws'
import { createAllowance } from '../core/allowance.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It has a websocket. */
    takesWebsocket?: boolean
  }
}

/** What clients say to us is small: keys and values, never pictures. */
const MAX_MESSAGE_BYTES = 64 * 1024
/** On one connection. A heartbeat is one frame now and then; each costs us an answer. */
const CONTROL_FRAMES = { burst: 50, perSecond: 5 }

/** Websockets at the routes that have one; elsewhere a handshake is refused before it is one. */
export async function addWebsockets(app: FastifyInstance): Promise<void> {
  // The library would answer every ping, however many come and whether or not its answers are read.
  await app.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES, autoPong: false } })
  app.websocketServer.on('connection', answerPings)
  app.server.on('upgrade', (_request, socket) => closeAfterAnswer(socket as AnsweredSocket))
  app.addHook('onRoute', (route) => {
    if (route.wsHandler) route.config = { ...route.config, takesWebsocket: true }
  })
  app.addHook('onRequest', async (request) => {
    if (request.ws && !request.is404 && !request.routeOptions.config.takesWebsocket)
      throw new AppError('no-websocket', { path: request.url.split('?')[0] })
  })
}

/** With what is being written to it; Node has no other way to ask for that. */
interface AnsweredSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null
}

/**
 * Node leaves a connection that asks for an upgrade to its listener: it is neither read nor timed out any more, and nobody would notice that
 * its client has left. The library closes those that a route or a hook has refused, but neither one whose address cannot be read nor one
 * whose request came behind another that was still to be answered. An answer in HTTP is always the last: a websocket has none.
 */
function closeAfterAnswer(socket: AnsweredSocket): void {
  socket._httpMessage?.once('finish', () => socket.destroySoon())
}

function answerPings(socket: WebSocket): void {
  const frames = createAllowance(CONTROL_FRAMES, systemClock)
  socket.on('ping', (data) => {
    if (frames.take()) socket.pong(data)
    else socket.terminate()
  })
  socket.on('pong', () => {
    if (!frames.take()) socket.terminate()
  })
}
