import { type FastifyReply } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type Feed } from './feed.ts'

export interface FeedRouteDeps {
  readonly feed: Feed
  readonly processes: { checkLive(account: Account, processId: string): Promise<void> }
  readonly rights: Pick<SourceRights, 'ownerForProcess'>
}

const MAX_VIEWERS = 50
const BOUNDARY = 'picture'

/** `/process/…/feed`: the processed picture as motion JPEG, which every browser shows in an `<img>`. For quick looks only. */
export function feedRoutes({ feed, processes, rights }: FeedRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/process/:process_uuid/feed',
      {
        config: { isStream: true },
        schema: {
          tags: ['Outputs'],
          summary: 'The processed picture as motion JPEG, for quick looks',
          params: ByProcess,
          querystring: OwnerQuery,
          produces: ['multipart/x-mixed-replace'],
        },
      },
      async (request, reply) => {
        const { account, params, query } = request
        const { process_uuid } = params
        const ownerOf = () => rights.ownerForProcess(account, process_uuid, 'watch', query.username)
        const owner = await ownerOf()
        await processes.checkLive(owner, process_uuid)
        if (feed.countViewers(process_uuid) >= MAX_VIEWERS)
          throw new AppError('feed-viewer-limit-reached', { limit: MAX_VIEWERS })
        // For as long as the right on its source is there.
        if (owner.id !== account.id) request.holdRight(async () => processes.checkLive(await ownerOf(), process_uuid))
        serve(reply, feed, process_uuid)
        return reply
      },
    )
  }
}

function serve(reply: FastifyReply, feed: Feed, processId: string): void {
  const { raw } = reply
  reply.hijack()
  // A client that has left meanwhile emits no other `close`.
  if (raw.destroyed) return
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The key stands in the address, so that other pages may show it in an `<img>`.
    'cross-origin-resource-policy': 'cross-origin',
  })
  raw.flushHeaders()
  // Browsers show a part when the next boundary comes: so it goes out behind each picture, not before it.
  raw.write(`--${BOUNDARY}\r\n`)
  const leave = feed.watch(processId, {
    take(jpeg) {
      // A slow viewer sees fewer pictures, never older ones.
      if (raw.writableLength > 0) return
      raw.cork()
      raw.write(`content-type: image/jpeg\r\ncontent-length: ${jpeg.length}\r\n\r\n`)
      raw.write(jpeg)
      raw.write(`\r\n--${BOUNDARY}\r\n`)
      raw.uncork()
    },
    end: () => void raw.end(),
  })
  raw.once('close', leave)
}
