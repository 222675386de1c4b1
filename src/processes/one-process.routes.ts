import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Account } from '../core/account.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { type DescribeProcess } from './describe-process.ts'
import { ProcessInfo, StoppedProcesses } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'

export interface OneProcessRouteDeps {
  readonly processes: Pick<ProcessService, 'find' | 'stop' | 'pause' | 'resume'>
  readonly describe: DescribeProcess
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/process/…`: one process. */
export function oneProcessRoutes({ processes, describe, owners }: OneProcessRouteDeps): FastifyPluginAsyncZod {
  async function stop(caller: Account, username: string | undefined, processId: string) {
    return { stopped: await processes.stop(await owners.resolve(caller, username), processId) }
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
        const owner = await owners.resolve(request.account, request.query.username)
        return describe(await processes.find(owner, request.params.process_uuid))
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
      async (request) => describe(await processes.pause(request.account, request.params.process_uuid)),
    )

    app.post(
      '/process/:process_uuid/resume',
      { schema: { tags, summary: 'Go on with a paused process', params: ByProcess, response: { 200: ProcessInfo } } },
      async (request) => describe(await processes.resume(request.account, request.params.process_uuid)),
    )
  }
}
