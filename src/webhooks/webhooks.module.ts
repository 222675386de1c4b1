import { type Account } from '../core/account.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type Delivery } from '../core/delivery.ts'
import { AppError } from '../core/errors.ts'
import { type AppEvents } from '../core/events.ts'
import { type LivePublisher } from '../core/live-publishing.ts'
import { type OwnNode } from '../core/own-node.ts'
import { isTaken, type TakenProcesses } from '../core/taken-processes.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createLiveNotifications } from './live-notifications.ts'
import { createSpooledProgress } from './spooled-progress.ts'
import { createTrackLinks, type TrackLinkDeps } from './track-links.ts'
import { createWatch, type Watch } from './watch.ts'
import { webhookChannels } from './webhooks.channels.ts'
import { type WebhookRouteDeps, webhookRoutes } from './webhooks.routes.ts'
import { createWebhookService, type WebhookDeps } from './webhooks.service.ts'
import { createWebhookStore } from './webhooks.store.ts'

export interface WebhooksDeps extends Pick<LivePublisher, 'publishNotification'> {
  readonly options: { readonly authOrigins: readonly string[] }
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Bus<AppEvents>
  readonly delivery: Omit<Delivery, 'backlogOf'>
  readonly processes: Pick<WebhookDeps['processes'], 'checkLive'> & {
    find(account: Pick<Account, 'id'>, processId: string): Promise<ProcessEnd>
    listLiveIds(): string[]
    factsOf: TrackLinkDeps['factsOf']
  }
  readonly links: TrackLinkDeps['links']
  readonly objectionTo: WebhookDeps['objectionTo']
  readonly owners: WebhookRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

interface ProcessEnd {
  readonly state: string
  readonly stopReason: string | null
  readonly error: string | null
}

const DAY_MS = 86_400_000
/** So long after their process has ended, deliveries can be listed. */
const KEEP_DAYS = 7

/** Everything about webhooks: subscriptions, and what is sent to them when. */
export function createWebhooks(deps: WebhooksDeps) {
  const { options, db, bus, delivery, processes, objectionTo, owners, clock, log } = deps
  const store = createWebhookStore(db, deps.node)
  const trackLinks = createTrackLinks({ links: deps.links, factsOf: (processId) => processes.factsOf(processId) })
  const spooled = createSpooledProgress({
    store,
    delivery,
    isOneOfSeveral: deps.node !== null,
    onSpooled: (...progress) => watch.onSpooled(...progress),
    trackLinks,
    clock,
    log,
  })
  const watch: Watch = createWatch({
    store: {
      saveProgress: (newest) => spooled.save(newest),
      isKnownElsewhere: (subscriptionId, progress) => spooled.isStored(subscriptionId, progress),
      end: (...ended) => store.end(...ended),
    },
    onLeft: (subscriptionId) => spooled.forget(subscriptionId),
    delivery,
    trackLinks,
    clock,
    log,
  })
  const { authOrigins } = options
  const service = createWebhookService({ store, delivery, processes, watch, objectionTo, authOrigins, clock })

  const live =
    deps.publishNotification && createLiveNotifications({ publish: deps.publishNotification, trackLinks, clock })

  bus.on('scene', ({ process, scene }) => {
    watch.onScene(process, scene)
    live?.onScene(process, scene)
  })
  bus.on('process-state', (change) => {
    live?.onState(change)
    return watch.onState(change)
  })
  bus.on('minutes-low', (low) => {
    watch.onMinutesLow(low)
    live?.onMinutesLow(low)
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (!purge) return
    for (const { id, accountId: owner } of watch.watched()) if (owner === accountId) await watch.remove(id)
    await store.removeAllOf(accountId)
  })

  async function endOf(accountId: string, processId: string): Promise<ProcessEnd | undefined> {
    try {
      return await processes.find({ id: accountId }, processId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'process-not-found') return undefined
      throw error
    }
  }

  const jobs: readonly JobKind[] = [
    {
      kind: 'webhook-retention',
      everyMs: DAY_MS / 24,
      handle: () => service.removeEndedBefore(clock.now() - KEEP_DAYS * DAY_MS),
    },
  ]

  return {
    service,
    routes: [webhookRoutes({ webhooks: service, owners })],
    channels: webhookChannels,
    jobs,
    /** Before processes come back: nothing that they see is to be missed. */
    async restoreProcesses({ ids }: TakenProcesses): Promise<void> {
      for (const subscription of await spooled.restore(await store.listActive(ids))) watch.add(subscription)
    },
    /** After processes have come back: those that did not are over, and that is sent. */
    async takeUpProcesses({ ids }: TakenProcesses): Promise<void> {
      const isAmong = isTaken(ids)
      const live = new Set(processes.listLiveIds())
      const gone = watch.watched().filter(({ processId }) => isAmong(processId) && !live.has(processId))
      for (const processId of new Set(gone.map((one) => one.processId))) {
        const own = gone.filter((one) => one.processId === processId)
        // Only subscriptions to states know the last one that was sent.
        const { accountId, progress } = own.find(({ eventType }) => eventType === 'process-state') ?? own[0]!
        const end = await endOf(accountId, processId)
        if (!end || end.state === progress.processState) await watch.finish(processId)
        else
          await watch.onState({
            processId,
            state: end.state,
            previousState: progress.processState,
            reason: end.error ?? end.stopReason,
            isLive: false,
          })
      }
    },
    async handOverProcesses(processIds: readonly string[]): Promise<void> {
      for (const processId of processIds) {
        live?.handOver(processId)
        await watch.handOver(processId)
      }
    },
    close: () => watch.close(),
  }
}
