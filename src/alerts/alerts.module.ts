import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { retry } from '../core/retry.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { alertChannels } from './alerts.channels.ts'
import { type AlertRouteDeps, alertRoutes } from './alerts.routes.ts'
import { type AlertDeps, createAlertService } from './alerts.service.ts'
import { createAlertStore } from './alerts.store.ts'
import { type Delivery } from './delivery.ts'
import { createEngine } from './engine.ts'
import { type WatchedProcess } from './notification.ts'
import { createOneOffs } from './one-offs.ts'
import { createSequenceStore } from './sequences.store.ts'

export interface AlertsDeps {
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly delivery: Delivery
  readonly processes: AlertDeps['processes'] & { listLive(): string[] }
  readonly telemetry: AlertDeps['telemetry']
  readonly objectionTo: AlertDeps['objectionTo']
  readonly knownClasses: AlertDeps['knownClasses']
  readonly owners: AlertRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

const HOUR_MS = 3_600_000
const TRY_AGAIN_MS = 1_000
/** Deliveries are given up after a day. */
const KEEP_SEQUENCES_MS = 25 * HOUR_MS

/** Everything about alerts: what is looked for, and who is told. */
export function createAlerts(deps: AlertsDeps) {
  const { db, bus, delivery, processes, telemetry, objectionTo, knownClasses, owners, clock, log } = deps
  const store = createAlertStore(db)
  const sequences = createSequenceStore(db)
  const oneOffs = createOneOffs()
  const turns = createTurns()
  const engine = createEngine({ delivery, sequences, clock, log })
  const service = createAlertService({
    store,
    sequences,
    oneOffs,
    engine,
    delivery,
    turns,
    processes,
    telemetry,
    objectionTo,
    knownClasses,
    clock,
  })

  /** At once, so that no scene is missed; its alerts are known when it was the account's turn. */
  async function open(process: WatchedProcess): Promise<void> {
    const { processId, accountId } = process
    if (!engine.open(process)) return
    const fill = () =>
      turns.take(accountId, async () => {
        engine.fill(processId, [...(await store.listActive(accountId)), ...oneOffs.activeAt(processId)])
      })
    const onFailure = (error: unknown) =>
      log.error({ err: error, process_uuid: processId }, 'the alerts of a process could not be read')
    const isWanted = () => engine.isOpen(processId)
    await retry(fill, { clock, waitMs: TRY_AGAIN_MS, isWanted, onRetry: onFailure }).catch(onFailure)
  }

  const restartsOf = new Map<string, number>()
  /** A pipeline that crashed is launched again, and takes what waited for a launch. */
  async function onLaunch({ processId, accountId }: WatchedProcess): Promise<void> {
    await turns.take(accountId, async () => {
      engine.renew(processId, [...(await store.listActive(accountId)), ...oneOffs.activeAt(processId)])
    })
  }

  async function close({ processId, accountId }: WatchedProcess): Promise<void> {
    restartsOf.delete(processId)
    await turns.take(accountId, async () => {
      await engine.close(processId, 'process-ended')
      oneOffs.removeAllAt(processId)
      await sequences.endProcess(processId, clock.now())
    })
  }

  bus.on('process-state', async (change) => {
    const { state, isLive } = change
    if (!isLive) return close(change)
    if (state === 'starting' || state === 'stopping') return
    const opened = open(change)
    engine.setSeeing(change.processId, state === 'running')
    await opened
    const isLaunchedAgain = change.restarts > (restartsOf.get(change.processId) ?? change.restarts)
    restartsOf.set(change.processId, change.restarts)
    if (isLaunchedAgain) await onLaunch(change)
  })
  bus.on('scene', ({ process, scene }) => engine.onScene(process.processId, scene))
  bus.on('track-pictures', ({ process, pictures }) => engine.onPictures(process.processId, pictures))
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await store.removeAllOf(accountId)
  })

  const jobs: readonly JobKind[] = [
    {
      kind: 'alert-sequence-retention',
      everyMs: HOUR_MS,
      handle: () => sequences.removeEndedBefore(clock.now() - KEEP_SEQUENCES_MS),
    },
  ]

  return {
    service,
    routes: [alertRoutes({ alerts: service, owners })],
    channels: alertChannels,
    jobs,
    /** Before processes come back: a crash left something on, and what was found to wait. */
    async restore(): Promise<void> {
      for (const { alertId, progress } of await sequences.listProgress()) {
        const { accountId, processId } = progress.process
        const { alert } = progress.unfinished ?? progress.telling[0]!
        // One that was removed in the meantime, with its key, is told to nobody; one-off alerts are in no table.
        const isGone = alert.processId === null && !(await store.find(accountId, alertId))
        if (isGone) await sequences.saveProgress(alertId, processId, null)
        else engine.restore(alertId, progress)
      }
    },
    /** Takes up the processes that came back. */
    async start(): Promise<void> {
      const live = processes.listLive()
      await sequences.endAllBut(live, clock.now())
      await Promise.all(live.flatMap((processId) => processes.factsOf(processId) ?? []).map(open))
      await engine.letGoRestored()
    },
    /** Resolves when the last notifications are on disk. */
    close: () => engine.closeAll(),
  }
}
