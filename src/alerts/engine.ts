import { type ProcessRef } from '../core/process-facts.ts'
import { type Scene } from '../core/scene.ts'
import { type ScenePicture, type TrackPicture } from '../core/track-picture.ts'
import { type AlertNotifiers, type AlertNotifiersDeps, createAlertNotifiers } from './alert-notifiers.ts'
import { appliesTo } from './alert-scope.ts'
import { type Alert, isSameSetup } from './alert.ts'
import { type EndReason } from './analyses/analysis.ts'
import { createLastNotifications, type LastNotifications } from './last-notifications.ts'
import { createProcessRun, type ProcessRun, type ScenePipeline } from './process-run.ts'
import { type Progress } from './progress.ts'

/** An alert at a process, as it runs there. */
export interface ActiveAlert {
  readonly alert: Alert
  readonly process: ProcessRef
  /** Whether anything that was seen has had a place on Earth. */
  readonly hasSeenPlaces: boolean
}

export type Engine = ReturnType<typeof createEngine>

export interface EngineDeps extends AlertNotifiersDeps {
  readonly pipelineOf: (processId: string) => ScenePipeline
}

interface Watched {
  readonly process: ProcessRef
  readonly run: ProcessRun
  /** Of its pipeline, when they were last heard of. */
  restarts?: number
}

/** Runs the analyses of all alerts over the scenes of all processes. */
export function createEngine(deps: EngineDeps) {
  const { clock } = deps
  const notifiers = createAlertNotifiers(deps)
  const runs = new Map<string, Watched>()
  const lastNotifications = createLastNotifications()
  const ofAccount = (accountId: string) => [...runs.values()].filter(({ process }) => process.accountId === accountId)

  return {
    /** Before processes come back: what went on when the service crashed is over, ahead of anything new. */
    restore(alertId: string, progress: Progress): void {
      notifiers.restore(alertId, progress)
      lastNotifications.of(alertId, progress.process.sourceId).note(clock.now())
    },

    /** After processes have come back. Resolves when all is on disk that was restored of those that did not. */
    flushUnclaimed: (): Promise<void> => notifiers.flushUnclaimed(),

    /** From now on the process is watched; false when it was already. Until its alerts are known, scenes wait. */
    open(process: ProcessRef): boolean {
      const { processId } = process
      if (runs.has(processId)) return false
      runs.set(processId, { process, run: createRun(process, { ...deps, notifiers, lastNotifications }) })
      notifiers.claim(processId)
      return true
    },

    /** These alerts are active at the process; scenes that waited are looked at now. */
    begin: (processId: string, alerts: readonly Alert[]): void => runs.get(processId)?.run.begin(alerts),

    isOpen: (processId: string): boolean => runs.has(processId),

    /** Whether the pipeline was launched again since the last time this was called; never of a process that is not watched. */
    noteRestarts: (processId: string, restarts: number): boolean => noteRestarts(runs.get(processId), restarts),

    onScene: (processId: string, scene: Scene): void => runs.get(processId)?.run.onScene(scene),

    onPictures: (processId: string, pictures: readonly TrackPicture[]): void =>
      runs.get(processId)?.run.onPictures(pictures),

    onScenePicture: (processId: string, picture: ScenePicture): void =>
      runs.get(processId)?.run.onScenePicture(picture),

    /** A picture of what a process saw then, in base64: of one track, or of all. Null where none comes. */
    sceneOf: async (processId: string, trackId: number | null, takenAtMs: number): Promise<string | null> =>
      (await runs.get(processId)?.run.sceneOf(trackId, takenAtMs)) ?? null,

    /** A process sees nothing for now (it is paused, or its source is lost), or sees again. */
    setSeeing: (processId: string, isSeeing: boolean): void => runs.get(processId)?.run.setSeeing(isSeeing),

    /** Resolves when the last notifications of the process are on disk. */
    async close(processId: string, reason: EndReason): Promise<void> {
      const ended = runs.get(processId)
      if (!ended) return
      runs.delete(processId)
      ended.run.end(reason)
      await notifiers.release(processId)
    },

    /** The process goes on elsewhere, from what is on disk when this has resolved. */
    async handOver(processId: string): Promise<void> {
      runs.get(processId)?.run.leave()
      runs.delete(processId)
      await notifiers.handOver(processId)
    },

    /** Where an active alert looks and does not run yet, it does from now on; where it does, only its alias changes. */
    enable(alert: Alert): void {
      for (const { process, run } of ofAccount(alert.accountId)) {
        if (appliesTo(alert, process)) run.enable(alert)
        else run.disable(alert.id, 'alert-changed')
      }
    },

    disable({ id, accountId }: Alert, reason: EndReason): void {
      for (const { run } of ofAccount(accountId)) run.disable(id, reason)
    },

    /** Stops it everywhere without an event; once this has resolved, nothing more of it is handed over. */
    async discard({ id, accountId }: Pick<Alert, 'id' | 'accountId'>): Promise<void> {
      await Promise.all(
        ofAccount(accountId).map(async ({ process, run }) => {
          run.discard(id)
          await notifiers.discard(process.processId, id)
        }),
      )
    },

    /** The pipeline of a process is launched anew: alerts that were changed since begin anew. */
    renew: (processId: string, alerts: readonly Alert[]): void => runs.get(processId)?.run.renew(alerts),

    /** The processes at which an alert still runs as it was before its last change. */
    pendingAt({ id, accountId, setup }: Alert): string[] {
      const isPending = (run: ProcessRun) =>
        run.alerts.some((alert) => alert.id === id && !isSameSetup(alert.setup, setup))
      return ofAccount(accountId).flatMap(({ process, run }) => (isPending(run) ? [process.processId] : []))
    },

    /** Those whose processes are watched. */
    listAccounts: (): string[] => [...new Set([...runs.values()].map(({ process }) => process.accountId))],

    /** Newest alerts first. */
    list(accountId: string): ActiveAlert[] {
      const rows = ofAccount(accountId).flatMap(({ process, run }) =>
        run.alerts.map((alert) => ({ alert, process, hasSeenPlaces: run.hasSeenPlaces })),
      )
      return rows.sort((a, b) => (a.alert.id < b.alert.id ? 1 : a.alert.id > b.alert.id ? -1 : 0))
    },

    /** The service stops: what goes on ends with an event, since nothing is looked at any more. */
    async closeAll(): Promise<void> {
      const left = [...runs.values()]
      runs.clear()
      for (const { run } of left) run.end('service-stopping')
      await notifiers.closeAll()
    },
  }
}

function noteRestarts(watched: Watched | undefined, restarts: number): boolean {
  if (!watched) return false
  const isLaunchedAgain = restarts > (watched.restarts ?? restarts)
  watched.restarts = restarts
  return isLaunchedAgain
}

interface RunDeps extends EngineDeps {
  readonly notifiers: AlertNotifiers
  readonly lastNotifications: LastNotifications
}

function createRun(process: ProcessRef, { pipelineOf, notifiers, lastNotifications, clock, log }: RunDeps): ProcessRun {
  return createProcessRun({
    pipeline: pipelineOf(process.processId),
    notifierOf: (alertId) => notifiers.of(process, alertId),
    lastNotificationOf: (alertId) => lastNotifications.of(alertId, process.sourceId),
    clock,
    log,
  })
}
