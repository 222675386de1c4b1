import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Account } from '../core/account.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { type DescribeProcess } from './describe-process.ts'
import { type Process } from './process.ts'
import { ProcessInfo, StoppedProcesses } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'
import { forOthers, type SeenProcesses } from './seen-processes.ts'

export interface OneProcessRouteDeps {
  readonly processes: Pick<ProcessService, 'stop' | 'pause' | 'resume'>
  readonly describe: DescribeProcess
  readonly seen: Pick<SeenProcesses, 'ownerOf' | 'find'>
}

/** `/process/…`: one process. */
export function oneProcessRoutes({ processes, describe, seen }: OneProcessRouteDeps): FastifyPluginAsyncZod {
  async function stop(caller: Account, username: string | undefined, processId: string) {
    const { owner } = await seen.ownerOf(caller, processId, 'control', username)
    return { stopped: await processes.stop(owner, processId) }
  }

  async function describeFor(process: Process, isOfOthers: boolean) {
    const info = await describe(process)
    return isOfOthers ? forOthers(info) : info
  }

  async function change(what: 'pause' | 'resume', caller: Account, processId: string) {
    const { owner, isOfOthers } = await seen.ownerOf(caller, processId, 'control')
    return describeFor(await processes[what](owner, processId), isOfOthers)
  }

  return async (app) => {
    const tags = ['Processes']
    const ofOne = { params: ByProcess, querystring: OwnerQuery }
    const stopOne = { tags, summary: 'Stop a process', ...ofOne, response: { 200: StoppedProcesses } }
    const urgentWork = 'removal' as const

    app.get(
      '/process/:process_uuid',
      { schema: { tags, summary: 'One process', ...ofOne, response: { 200: ProcessInfo } } },
      async (request) => {
        const { account, params, query } = request
        const { process, isOfOthers } = await seen.find(account, params.process_uuid, query.username)
        return describeFor(process, isOfOthers)
      },
    )

    app.delete('/process/:process_uuid', { config: { urgentWork }, schema: stopOne }, async (request) =>
      stop(request.account, request.query.username, request.params.process_uuid),
    )

    app.post(
      '/process/:process_uuid/stop',
      { config: { successor: '/process/{process_uuid}', urgentWork }, schema: { ...stopOne, deprecated: true } },
      async (request) => stop(request.account, request.query.username, request.params.process_uuid),
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
      (request) => change('pause', request.account, request.params.process_uuid),
    )

    app.post(
      '/process/:process_uuid/resume',
      { schema: { tags, summary: 'Go on with a paused process', params: ByProcess, response: { 200: ProcessInfo } } },
      (request) => change('resume', request.account, request.params.process_uuid),
    )
  }
}
