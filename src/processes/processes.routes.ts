import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { nextPageLink } from '../core/page.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type ModelSummary } from './models.ts'
import { isLive, type Process } from './process.ts'
import {
  type AttachedOutput,
  type ProcessTelemetry,
  ByProcess,
  ProcessesQuery,
  ProcessInfo,
  StartedProcess,
  StartQuery,
  StoppedProcesses,
  toProcessInfo,
  toProcessOptions,
} from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'

export interface ProcessRouteDeps {
  readonly processes: ProcessService
  readonly outputs: { attachedTo(processId: string): Promise<AttachedOutput[]> }
  readonly telemetry: {
    statusOf(processId: string): ProcessTelemetry | null
    cfgOf(processId: string): TelemetryCfg | null
  }
  readonly models: readonly ModelSummary[]
  readonly defaultModel: string
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/start`, `/process/…`: one process is one source watched by one model. */
export function processRoutes(deps: ProcessRouteDeps): FastifyPluginAsyncZod {
  const { processes, outputs, telemetry, models, defaultModel, owners } = deps
  const toInfo = async (process: Process) =>
    toProcessInfo(
      process,
      isLive(process.state) ? await outputs.attachedTo(process.id) : [],
      telemetry.statusOf(process.id),
    )

  return async (app) => {
    const tags = ['Processes']

    app.post(
      '/start',
      {
        config: { isSlow: true },
        schema: {
          tags,
          summary: 'Start processing a source',
          querystring: StartQuery,
          response: { 201: StartedProcess },
        },
      },
      async (request, reply) => {
        const options = toProcessOptions(request.query, models, defaultModel)
        const process = await processes.start(request.account, request.query.source_uuid, options)
        const path = `/process/${process.id}`
        const key = request.apiKey && `?api_key=${encodeURIComponent(request.apiKey)}`
        const socketUrl = `${request.baseUrl.replace(/^http/, 'ws')}${path}`
        return reply.code(201).send({
          process_uuid: process.id,
          feed_url: `${request.baseUrl}${path}/feed${key}`,
          detection_data_url: `${socketUrl}/detection_data${key}`,
          telemetry_url: telemetryUrl(telemetry.cfgOf(process.id), `${socketUrl}/telemetry${key}`),
        })
      },
    )

    app.get(
      '/processes',
      {
        schema: {
          tags,
          summary: 'List processes, those that have ended too',
          querystring: ProcessesQuery,
          response: { 200: z.array(ProcessInfo) },
        },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await processes.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return Promise.all(items.map(toInfo))
      },
    )

    app.delete(
      '/processes',
      {
        config: { urgentWork: 'removal' },
        schema: { tags, summary: 'Stop all your processes', response: { 200: StoppedProcesses } },
      },
      async (request) => ({ stopped: await processes.stopAll(request.account) }),
    )

    app.post(
      '/process/stop_all',
      {
        config: { successor: '/processes', urgentWork: 'removal' },
        schema: { tags, summary: 'Stop all your processes', deprecated: true, response: { 200: StoppedProcesses } },
      },
      async (request) => ({ stopped: await processes.stopAll(request.account) }),
    )

    const ofOne = { params: ByProcess, querystring: OwnerQuery }

    app.get(
      '/process/:process_uuid',
      { schema: { tags, summary: 'One process', ...ofOne, response: { 200: ProcessInfo } } },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return toInfo(await processes.find(owner, request.params.process_uuid))
      },
    )

    app.delete(
      '/process/:process_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: { tags, summary: 'Stop a process', ...ofOne, response: { 200: StoppedProcesses } },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return { stopped: await processes.stop(owner, request.params.process_uuid) }
      },
    )

    app.post(
      '/process/:process_uuid/stop',
      {
        config: { successor: '/process/{process_uuid}', urgentWork: 'removal' },
        schema: { tags, summary: 'Stop a process', deprecated: true, ...ofOne, response: { 200: StoppedProcesses } },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return { stopped: await processes.stop(owner, request.params.process_uuid) }
      },
    )

    app.post(
      '/process/:process_uuid/pause',
      {
        schema: {
          tags,
          summary: 'Pause a process: no detection, no minutes; its place and its connections stay',
          params: ByProcess,
          response: { 200: ProcessInfo },
        },
      },
      async (request) => toInfo(await processes.pause(request.account, request.params.process_uuid)),
    )

    app.post(
      '/process/:process_uuid/resume',
      { schema: { tags, summary: 'Go on with a paused process', params: ByProcess, response: { 200: ProcessInfo } } },
      async (request) => toInfo(await processes.resume(request.account, request.params.process_uuid)),
    )
  }
}

/** Where telemetry comes from, or goes to. */
function telemetryUrl(cfg: TelemetryCfg | null, socketUrl: string): string {
  switch (cfg?.type) {
    case 'websocket':
      return socketUrl
    case 'mqtt': {
      const { ip, port, topic, tls } = cfg.parameters
      return `${tls ? 'mqtts' : 'mqtt'}://${ip}:${port}/${topic}`
    }
    case 'static':
      return 'static'
    case undefined:
      return 'Not configured'
  }
}
