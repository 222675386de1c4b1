import { type WebSocket } from '@fastify/websocket'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type z } from 'zod'
import { type Account } from '../core/account.ts'
import { createClientQueue } from '../core/client-queue.ts'
import { AppError } from '../core/errors.ts'
import { createExclusiveSlots } from '../core/exclusive-slots.ts'
import { isWarningNew, toMinutesLowFields } from '../core/minutes.ts'
import { isLive } from '../core/process-facts.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { serveTexts } from '../core/text-socket.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { DetectionMessage } from './detection-message.ts'
import { type Process } from './process.ts'
import { EventsQuery } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'
import { type Supervisor } from './supervisor.ts'

export interface DetectionRouteDeps {
  readonly processes: Pick<ProcessService, 'find'> & Pick<Supervisor, 'stateOf'>
  readonly channel: DetectionChannel
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** Often enough that nobody between us and the client takes the connection for dead. */
const HEARTBEAT_MS = 15_000
const MAX_EVENT_CLIENTS = 100

/** `…/detection_data` (a websocket for one) and `…/events` (server-sent events for many): what a process sees, as it sees it. */
export function detectionRoutes({ processes, channel, owners }: DetectionRouteDeps): FastifyPluginAsyncZod {
  const places = createExclusiveSlots()

  function ownerOf({ account, query }: FastifyRequest): Promise<Account> {
    return owners.resolve(account, (query as z.infer<typeof OwnerQuery>).username)
  }

  async function findLive(owner: Account, process_uuid: string): Promise<Process> {
    const process = await processes.find(owner, process_uuid)
    if (!isLive(process.state)) throw new AppError('process-not-live', { process_uuid, state: process.state })
    return process
  }

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
    const owner = await ownerOf(request)
    const found: Process[] = []
    for (const id of processIds) found.push(await findLive(owner, id))
    for (const id of processIds) checkRoom(id)
    const stream = serveEvents(reply, channel, processIds)
    // One that has ended since it was looked up, before anybody listened, does not end again. One that nobody runs yet goes on.
    const unsure = found.filter(({ id }) => !isRunning(id))
    try {
      for (const { id, accountId } of unsure) {
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
    const { id } = await findLive(await ownerOf(request), idOf(request))
    if (!places.take(id, request.raw.socket))
      throw new AppError('client-connected', { instead: ` For any number of clients there is /process/${id}/events.` })
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
        serveSocket(socket, channel, process_uuid)
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

function serveSocket(socket: WebSocket, channel: DetectionChannel, processId: string): void {
  const client = serveTexts(socket)
  const leave = channel.listen(processId, {
    take: (message) => client.push(message),
    end: (process) => client.end(`process ${process.state}`),
    moved: () => client.end('process moved'),
  })
  client.onClose(leave)
}

const idOf = ({ params }: FastifyRequest) => (params as z.infer<typeof ByProcess>).process_uuid

/** Events on their way to a client. */
interface EventStream {
  /** This process has ended; when it was the last one, so does the stream. */
  end(process: Process): void
}

function serveEvents(reply: FastifyReply, channel: DetectionChannel, processIds: readonly string[]): EventStream {
  const { raw } = reply
  reply.hijack()
  // A client that has left meanwhile emits no other `close`.
  if (raw.destroyed) return { end: () => {} }
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies that collect answers would keep the messages to themselves.
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  const queue = createClientQueue({
    send: (text) => new Promise((resolve, reject) => raw.write(text, (error) => (error ? reject(error) : resolve()))),
  })
  const left = new Set(processIds)
  let warnedAllottedSeconds: number | null = null

  const close = () => void queue.finish().then((isSent) => (isSent ? raw.end() : raw.destroy()))

  function end({ id, state }: Pick<Process, 'id' | 'state'>): void {
    if (!left.delete(id)) return
    queue.push(`event: end\ndata: ${JSON.stringify({ process_uuid: id, state })}\n\n`)
    if (left.size === 0) close()
  }

  const leaving = processIds.map((processId) =>
    channel.listen(processId, {
      take: (message, sequence) => queue.push(`id: ${sequence}\ndata: ${message}\n\n`),
      minutesLow(low) {
        if (!isWarningNew(low, warnedAllottedSeconds)) return
        warnedAllottedSeconds = low.allottedSeconds
        const data = { process_uuid: processId, ...toMinutesLowFields(low) }
        queue.push(`event: minutes-low\ndata: ${JSON.stringify(data)}\n\n`)
      },
      status: (status) => queue.push(`event: status\ndata: ${JSON.stringify(status)}\n\n`),
      end,
      // Without a word: whoever reads events connects again by itself.
      moved: close,
    }),
  )
  const heartbeat = setInterval(() => queue.push(': still here\n\n'), HEARTBEAT_MS)
  raw.once('close', () => {
    clearInterval(heartbeat)
    for (const leave of leaving) leave()
    void queue.finish()
  })
  return { end }
}
