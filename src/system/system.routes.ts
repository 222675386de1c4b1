import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Account, isMaster } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { SystemInfo } from './system.schema.ts'

export interface SystemRouteDeps {
  readonly report: (master: Account) => Promise<SystemInfo>
}

/** `/system`: what takes how much of the machine, and how much more fits. */
export function systemRoutes({ report }: SystemRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/system',
      {
        schema: {
          tags: ['System'],
          summary: 'What takes how much of the machine, and how many more streams fit',
          description:
            'Of the machine that answers, where a service has several: `GET /nodes` has the room of all. `recordings` are those of the whole service.',
          response: { 200: SystemInfo },
        },
      },
      (request) => {
        if (!isMaster(request.account)) throw new AppError('master-key-required')
        return report(request.account)
      },
    )
  }
}
