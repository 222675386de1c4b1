import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account, isMaster } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { API_VERSION, PRODUCT } from '../core/version.ts'
import {
  Login,
  OldInfo,
  toSubscription,
  toSubscriptionInUse,
  toUploadedVideoStorage,
  UserInfo,
} from './accounts.schema.ts'
import { type AccountService } from './accounts.service.ts'

export interface InformationDeps {
  readonly accounts: Pick<AccountService, 'find' | 'listChildren'>
  readonly sources: { usedBytes(account: Account): Promise<number> }
  readonly processes: {
    /** Of all accounts, on all nodes. */
    countRunning(): Promise<number>
    /** By account, on all nodes. */
    countRunningOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  }
  readonly serviceVersion: string
  readonly clock: Clock
}

const Status = z.object({
  status: z.literal('ok'),
  version: z.string().describe('Of the interface.'),
  service_version: z.string().describe('Of this service; CHANGELOG.md says what is in it.'),
  uptime_seconds: z.number().int().describe('Of the node that answers.'),
  processes_running: z
    .number()
    .int()
    .describe('Of all keys, on all nodes of the service; a second old, or older while the database is away.'),
})

/** `/status`, `/login`, `/user_info`, `/info`: what the service is, and what the caller's key is good for. */
export function informationRoutes(deps: InformationDeps): FastifyPluginAsyncZod {
  const { accounts, sources, processes, serviceVersion, clock } = deps
  const startedAt = clock.now()

  return async (app) => {
    const tags = ['Information']

    app.get(
      '/status',
      {
        config: { isPublic: true },
        schema: { tags, summary: 'Basic status; needs no key', security: [], response: { 200: Status } },
      },
      async () => ({
        status: 'ok' as const,
        version: API_VERSION,
        service_version: serviceVersion,
        uptime_seconds: Math.floor((clock.now() - startedAt) / 1000),
        processes_running: await processes.countRunning(),
      }),
    )

    app.route({
      method: ['GET', 'POST'],
      url: '/login',
      schema: { tags, summary: 'Check an API key', response: { 200: Login } },
      handler: async ({ account }) => ({
        valid: true as const,
        username: account.username,
        product: PRODUCT,
        is_master: isMaster(account),
        expiration_date: account.expirationDate,
      }),
    })

    app.get(
      '/user_info',
      { schema: { tags, summary: 'The account behind the key', response: { 200: UserInfo } } },
      async ({ account }) => {
        const own = await accounts.find(account.username)
        const children = isMaster(account) ? (await accounts.listChildren(account, { limit: 1000 })).items : []
        const running = await processes.countRunningOf([own, ...children].map(({ id }) => id))
        return {
          version: API_VERSION,
          username: account.username,
          product: PRODUCT,
          uploaded_video_storage: toUploadedVideoStorage(account, await sources.usedBytes(account)),
          subscription: toSubscriptionInUse(own, running.get(own.id) ?? 0),
          ...(children.length > 0 && {
            children_subscription: children.map((child) => ({
              ...toSubscriptionInUse(child, running.get(child.id) ?? 0),
              username: child.username,
            })),
          }),
          is_track_logger_enabled: account.features.trackLogger,
        }
      },
    )

    const oldInfo = { tags, summary: 'Deprecated: use /user_info', deprecated: true, response: { 200: OldInfo } }
    app.get('/info', { config: { successor: '/user_info' }, schema: oldInfo }, async ({ account }) => {
      const { balance } = await accounts.find(account.username)
      return {
        version: API_VERSION,
        uploaded_video_storage: toUploadedVideoStorage(account, await sources.usedBytes(account)),
        subscription: toSubscription(account, balance),
        product: PRODUCT,
      }
    })
  }
}
