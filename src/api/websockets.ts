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
  app.addHook('onRoute', (route) => {
    if (route.wsHandler) route.config = { ...route.config, takesWebsocket: true }
  })
  app.addHook('onRequest', async (request) => {
    if (request.ws && !request.is404 && !request.routeOptions.config.takesWebsocket)
      throw new AppError('no-websocket', { path: request.url.split('?')[0] })
  })
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
