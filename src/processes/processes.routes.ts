import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { type InputError } from '../core/errors.ts'
import { nextPageLink } from '../core/page.ts'
import { inputInvalid } from '../core/refusals.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type DescribeProcesses } from './describe-processes.ts'
import { type ModelSummary } from './models.ts'
import { ProcessesQuery, ProcessInfo, StartedProcess, StoppedProcesses } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'
import { type ProcessCluster } from './process-cluster.ts'
import { forOthers, type SeenProcesses } from './seen-processes.ts'
import { StartQuery, toProcessOptions, wordsOf } from './start-query.ts'
import { type StopAll } from './stop-everywhere.ts'

export interface ProcessRouteDeps {
  readonly processes: Pick<ProcessService, 'start'> & { readonly stopAll: StopAll }
  readonly seen: Pick<SeenProcesses, 'list'>
  readonly describeAll: DescribeProcesses
  readonly telemetry: { cfgOf(processId: string): TelemetryCfg | null }
  readonly models: readonly ModelSummary[]
  readonly defaultModel: string
  /** Where this service has several nodes: the one on which a process of this source begins. */
  readonly cluster: Pick<ProcessCluster, 'chooseNode'> | undefined
  /** The account whose processes are requested: the caller's own, or a child of it. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
  /** A process on a source of somebody else is that one's. */
  readonly rights: Pick<SourceRights, 'ownerFor'>
}

const ONLY_ONE_NODE: InputError = {
  path: 'query.labels',
  message: 'This service has one node, on which every process runs: leave `labels` out.',
}

/** `/start`, `/processes`: one process is one source watched by one model. */
export function processRoutes(deps: ProcessRouteDeps): FastifyPluginAsyncZod {
  const { processes, seen, describeAll, telemetry, models, defaultModel, owners, rights, cluster } = deps

  return async (app) => {
    const tags = ['Processes']

    app.post(
      '/start',
      {
        config: { isSlow: true, chooseNode: cluster && ((request) => chooseFor(request, cluster)) },
        schema: {
          tags,
          summary: 'Start processing a source',
          description:
            'With the right `control` also a source of somebody else: the process is then its owner’s, with the owner’s minutes and limits.',
          querystring: StartQuery,
          response: { 201: StartedProcess },
        },
      },
      async (request, reply) => {
        const options = toProcessOptions(request.query, request.account, models, defaultModel)
        if (options.labels.length > 0 && !cluster) throw inputInvalid([ONLY_ONE_NODE])
        const { source_uuid: sourceId } = request.query
        const owner = await rights.ownerFor(request.account, sourceId, 'control')
        const { process, warning } = await processes.start(owner, sourceId, options)
        const path = `/process/${process.id}`
        const key = request.apiKey && `?api_key=${encodeURIComponent(request.apiKey)}`
        const socketUrl = `${request.baseUrl.replace(/^http/, 'ws')}${path}`
        return reply.code(201).send({
          process_uuid: process.id,
          feed_url: `${request.baseUrl}${path}/feed${key}`,
          detection_data_url: `${socketUrl}/detection_data${key}`,
          telemetry_url: telemetryUrl(telemetry.cfgOf(process.id), `${socketUrl}/telemetry${key}`),
          ...(warning !== undefined && { warning }),
        })
      },
    )

    app.get(
      '/processes',
      {
        schema: {
          tags,
          summary: 'List processes, those that have ended too, and those on sources whose events the key may read',
          querystring: ProcessesQuery,
          response: { 200: z.array(ProcessInfo) },
        },
      },
      async (request, reply) => {
        const { account, query } = request
        const { items, nextCursor } = await seen.list(account, query, query.username)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        const infos = await describeAll(items)
        const isOfOthers = (at: number) => query.username === undefined && items[at]!.accountId !== account.id
        return infos.map((info, at) => (isOfOthers(at) ? forOthers(info) : info))
      },
    )

    const urgentWork = 'removal' as const
    const stopAll = {
      tags,
      summary: 'Stop all your processes, or all of a child key',
      querystring: OwnerQuery,
      response: { 200: StoppedProcesses },
    }
    const stopAllOf = async (account: Account, username: string | undefined) => ({
      stopped: await processes.stopAll(await owners.resolve(account, username)),
    })

    app.delete('/processes', { config: { urgentWork }, schema: stopAll }, (request) =>
      stopAllOf(request.account, request.query.username),
    )

    app.post(
      '/process/stop_all',
      { config: { successor: '/processes', urgentWork }, schema: { ...stopAll, deprecated: true } },
      (request) => stopAllOf(request.account, request.query.username),
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

/** Before the query was looked at. */
function chooseFor({ query }: FastifyRequest, { chooseNode }: Pick<ProcessCluster, 'chooseNode'>): Promise<string> {
  const { source_uuid: sourceId, labels } = query as { readonly source_uuid?: unknown; readonly labels?: unknown }
  return chooseNode(String(sourceId), typeof labels === 'string' ? wordsOf(labels) : [])
}
