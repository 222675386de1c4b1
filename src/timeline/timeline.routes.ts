import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { sendText } from '../http/send-text.ts'
import { BySource } from './detections.schema.ts'
import { Timeline, TimelineQuery } from './timeline.schema.ts'
import { type TimelineService } from './timeline.service.ts'

export interface TimelineRouteDeps {
  readonly timeline: TimelineService
  readonly rights: Pick<SourceRights, 'ownerFor'>
}

/** Only documented: it is packed. */
const answer = {
  description: 'The line of time; of what there was nothing, lists are empty',
  content: { 'application/json': { schema: Timeline } },
}

/** `/source/…/timeline`: what was recorded of a stream, and what happened in it. */
export function timelineRoutes({ timeline, rights }: TimelineRouteDeps): FastifyPluginAsyncZod {
  /** Each of both rights opens its part. */
  async function findOwner(account: Account, sourceId: string, username: string | undefined) {
    const ask = (right: SourceRight) =>
      rights.ownerFor(account, sourceId, right, username).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'right-missing') return error
        throw error
      })
    const [watched, events] = await Promise.all([ask('watch'), ask('events')])
    const owner = watched instanceof AppError ? events : watched
    if (owner instanceof AppError) throw owner
    return { owner, mayWatch: !(watched instanceof AppError), mayReadEvents: !(events instanceof AppError) }
  }

  return async (app) => {
    app.get(
      '/source/:source_uuid/timeline',
      {
        schema: {
          tags: ['Sources'],
          summary: 'What was recorded of a stream, and what happened in it, as a line of time',
          description:
            'From when to when there are recordings, how many tracks of each class there were in each step, what alerts notified of, and in which states processes were. Places are seconds from `from`.',
          params: BySource,
          querystring: TimelineQuery,
          response: { 200: answer },
        },
      },
      async (request, reply) => {
        const { username, from, to, step_seconds: stepSeconds, process_uuid: processId } = request.query
        const { source_uuid: sourceId } = request.params
        const { owner, ...may } = await findOwner(request.account, sourceId, username)
        const asked = { sourceId, processId, range: { from, to }, stepSeconds, ...may, signal: goneSignal(reply) }
        const { timeline: found, missingNodes } = await timeline.open(owner, asked)
        if (missingNodes.length > 0) reply.header('x-aerie-missing-nodes', missingNodes.join(', '))
        reply.header('cache-control', 'no-store')
        return sendText(request, reply, 'application/json', JSON.stringify(found))
      },
    )
  }
}
