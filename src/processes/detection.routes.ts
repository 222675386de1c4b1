import { type WebSocket } from '@fastify/websocket'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type z } from 'zod'
import { AppError } from '../core/errors.ts'
import { createExclusiveSlots } from '../core/exclusive-slots.ts'
import { isLive } from '../core/process-facts.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { serveTexts } from '../core/text-socket.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { DetectionMessage, messageForOthers } from './detection-message.ts'
import { EventQuery, EventsQuery } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'
import { type AskedOwner, type SeenProcesses } from './seen-processes.ts'
import { type HeardProcess, serveEvents } from './serve-events.ts'
import { type Supervisor } from './supervisor.ts'

export interface DetectionRouteDeps {
  readonly processes: Pick<ProcessService, 'find'> & Pick<Supervisor, 'stateOf'>
  readonly channel: DetectionChannel
  readonly seen: Pick<SeenProcesses, 'ownerOf'>
}

const MAX_EVENT_CLIENTS = 100

/** `…/detection_data` (a websocket for one) and `…/events` (server-sent events for many): what a process sees, as it sees it. */
export function detectionRoutes({ processes, channel, seen }: DetectionRouteDeps): FastifyPluginAsyncZod {
  const places = createExclusiveSlots()
  const ofOthers = new WeakSet<FastifyRequest>()

  const { ownerOf, findLive, holdRight } = createHeard({ processes, seen })

  function checkRoom(processId: string): void {
    if (channel.countClients(processId) >= MAX_EVENT_CLIENTS)
      throw new AppError('event-client-limit-reached', { limit: MAX_EVENT_CLIENTS })
  }

  const isRunning = (processId: string) => {
    const state = processes.stateOf(processId)
    return state !== undefined && isLive(state)
  }

  /** Serves events of processes that were live when they were looked up, one after the other. */
  async function serveLive(request: FastifyRequest, reply: FastifyReply, processIds: readonly string[]): Promise<void> {
    const { username, with: extras } = request.query as z.infer<typeof EventQuery>
    const named = username === undefined ? undefined : await ownerOf(request, processIds[0]!)
    const found: HeardProcess[] = []
    for (const id of processIds) found.push(await findLive(named ?? (await ownerOf(request, id)), id))
    for (const id of processIds) checkRoom(id)
    holdRight(request, found)
    reply.hijack()
    const stream = serveEvents(reply.raw, reply.getHeaders() as Record<string, string>, channel, found, extras)
    // One that has ended since it was looked up, before anybody listened, does not end again. One that nobody runs yet goes on.
    const unsure = found.filter(({ process }) => !isRunning(process.id))
    try {
      for (const {
        process: { id, accountId },
      } of unsure) {
        const process = await processes.find({ id: accountId }, id)
        if (!isLive(process.state)) stream.end(process)
      }
    } catch {
      // The answer has begun: the client asks again, and then it gets the error.
      reply.raw.destroy()
    }
  }

  /** Takes the one place until the connection is closed, whatever becomes of the handshake. */
  async function takePlace(request: FastifyRequest): Promise<void> {
    if (!request.ws) throw new AppError('websocket-required')
    const asked = await ownerOf(request, idOf(request))
    const heard = await findLive(asked, idOf(request))
    const { id } = heard.process
    // Who was given a right takes nobody else's place.
    if (!places.take(asked.isOfOthers ? `${id} ${request.account.id}` : id, request.raw.socket))
      throw new AppError('client-connected', { instead: ` For any number of clients there is /process/${id}/events.` })
    holdRight(request, [heard])
    if (asked.isOfOthers) ofOthers.add(request)
  }

  return async (app) => {
    const tags = ['Processes']
    const schema = { tags, params: ByProcess, querystring: OwnerQuery }
    const config = { isStream: true }

    app.route({
      method: 'GET',
      url: '/process/:process_uuid/detection_data',
      config,
      schema: {
        ...schema,
        summary: 'Websocket of detection messages, for one client at a time',
        response: { 101: DetectionMessage.describe('Each text frame is one such message.') },
      },
      preHandler: takePlace,
      handler: () => {
        throw new AppError('websocket-required')
      },
      wsHandler(socket, request) {
        const { process_uuid } = request.params
        serveSocket(socket, channel, process_uuid, ofOthers.has(request))
        // It may have ended during the handshake.
        if (!isRunning(process_uuid)) socket.close(1000, 'process ended')
      },
    })

    app.get(
      '/process/:process_uuid/events',
      {
        config,
        schema: {
          ...schema,
          querystring: EventQuery,
          summary: `The same messages as server-sent events, for up to ${MAX_EVENT_CLIENTS} clients`,
          produces: ['text/event-stream'],
        },
      },
      async (request, reply) => {
        await serveLive(request, reply, [idOf(request)])
        return reply
      },
    )

    app.get(
      '/processes/events',
      {
        config,
        schema: {
          tags,
          querystring: EventsQuery,
          summary: 'The messages of several processes as server-sent events: browsers open few connections at a time',
          produces: ['text/event-stream'],
        },
      },
      async (request, reply) => {
        await serveLive(request, reply, request.query.process_uuids)
        return reply
      },
    )
  }
}

/** The processes that clients hear, as whose they are theirs to hear. */
function createHeard({ processes, seen }: Pick<DetectionRouteDeps, 'processes' | 'seen'>) {
  function ownerOf({ account, query }: FastifyRequest, processId: string): Promise<AskedOwner> {
    return seen.ownerOf(account, processId, 'events', (query as z.infer<typeof OwnerQuery>).username)
  }

  async function findLive({ owner, isOfOthers }: AskedOwner, process_uuid: string): Promise<HeardProcess> {
    const process = await processes.find(owner, process_uuid)
    if (!isLive(process.state)) throw new AppError('process-not-live', { process_uuid, state: process.state })
    return { process, isOfOthers }
  }

  /** For as long as the right on the source is there. */
  function holdRight(request: FastifyRequest, heard: readonly HeardProcess[]): void {
    for (const { process, isOfOthers } of heard)
      if (isOfOthers)
        request.holdRight(async () => processes.find((await ownerOf(request, process.id)).owner, process.id))
  }

  return { ownerOf, findLive, holdRight }
}

function serveSocket(socket: WebSocket, channel: DetectionChannel, processId: string, isOfOthers: boolean): void {
  const client = serveTexts(socket)
  const leave = channel.listen(processId, {
    take: (message) => client.push(isOfOthers ? messageForOthers(message) : message),
    end: (process) => client.end(`process ${process.state}`),
    moved: () => client.end('process moved'),
  })
  client.onClose(leave)
}

const idOf = ({ params }: FastifyRequest) => (params as z.infer<typeof ByProcess>).process_uuid
