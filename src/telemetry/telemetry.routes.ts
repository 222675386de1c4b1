import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type z } from 'zod'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { createExclusiveSlots } from '../core/exclusive-slots.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { serveTexts } from '../core/text-socket.ts'
import { DroneData } from './telemetry.schema.ts'
import { type TelemetryService } from './telemetry.service.ts'

export interface TelemetryRouteDeps {
  readonly telemetry: TelemetryService
  readonly processes: {
    /** Throws when the account has no such process, or when it has ended. */
    checkLive(account: Account, processId: string): Promise<void>
    /** Calls when the process has ended. */
    onEnd(processId: string, handler: () => void): () => void
  }
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

type Params = z.infer<typeof ByProcess>

/** `…/telemetry` (a drone or its bridge sends to us) and `…/drone_data` (we send to a client): websockets, one client each. */
export function telemetryRoutes({ telemetry, processes, owners }: TelemetryRouteDeps): FastifyPluginAsyncZod {
  const places = createExclusiveSlots()

  /** Takes the one place until the connection is closed, whatever becomes of the handshake. */
  function takePlace(name: string, type?: 'websocket') {
    return async (request: FastifyRequest): Promise<void> => {
      if (!request.ws) throw new AppError('websocket-required')
      const { process_uuid } = request.params as Params
      const { username } = request.query as Partial<z.infer<typeof OwnerQuery>>
      await processes.checkLive(await owners.resolve(request.account, username), process_uuid)
      telemetry.session(process_uuid, type)
      if (!places.take(`${name} ${process_uuid}`, request.raw.socket))
        throw new AppError('client-connected', { instead: '' })
    }
  }

  return async (app) => {
    const schema = { tags: ['Telemetry'], params: ByProcess }
    const config = { isStream: true }
    const handler = () => {
      throw new AppError('websocket-required')
    }

    app.route({
      method: 'GET',
      url: '/process/:process_uuid/telemetry',
      config,
      schema: { ...schema, summary: 'Websocket into which telemetry is sent, one JSON message a text frame' },
      preHandler: takePlace('telemetry', 'websocket'),
      handler,
      wsHandler(socket, request) {
        const { process_uuid } = request.params
        const session = telemetry.session(process_uuid, 'websocket')
        const client = serveTexts(socket, {
          incoming: session.incoming,
          // A bad message is answered and counted; the connection stays.
          onText(data) {
            const sentence = session.receive(data)
            if (sentence) client.push(JSON.stringify({ error: sentence }))
          },
        })
        client.onClose(processes.onEnd(process_uuid, () => client.end('process ended')))
      },
    })

    app.route({
      method: 'GET',
      url: '/process/:process_uuid/drone_data',
      config,
      schema: {
        ...schema,
        querystring: OwnerQuery,
        summary: 'Websocket of telemetry as it was received, for one client at a time',
        response: { 101: DroneData.describe('Each text frame is one such message.') },
      },
      preHandler: takePlace('drone_data'),
      handler,
      wsHandler(socket, request) {
        const { process_uuid } = request.params
        const client = serveTexts(socket)
        client.onClose(telemetry.session(process_uuid).listen((message) => client.push(JSON.stringify(message))))
        client.onClose(processes.onEnd(process_uuid, () => client.end('process ended')))
      },
    })
  }
}
