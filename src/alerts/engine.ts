import { type Clock } from '../core/clock.ts'
import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type Alert, isSameSetup } from './alert.ts'
import { type Analysis, type Happening, isUpdate } from './analyses/analysis.ts'
import { type EndReason } from './analyses/end-reason.ts'
import { kindOf } from './analyses/kinds.ts'
import { GAP_MS } from './analyses/scene-time.ts'
import { type WatchedProcess } from './notification.ts'
import { type Progress } from './progress.ts'
import { createSendBudget } from './send-budget.ts'
import { createTeller, type Teller, type TellerDeps } from './teller.ts'
import { createTrackPatches, type TrackPatches } from './track-patches.ts'

/** An alert at a process, as it was when the pipeline was launched or the alert enabled. */
export interface Watch {
  alert: Alert
  readonly analysis: Analysis
  /** As many as its teller knows of. */
  unfinished: number
  isBroken: boolean
}

interface Run {
  readonly process: WatchedProcess
  readonly watches: Map<string, Watch>
  /** Stays when a watch is replaced, so that numbers and order go on. */
  readonly tellers: Map<string, Teller>
  readonly patches: TrackPatches
  /** Scenes that came before the alerts were read; null afterwards. */
  early: Scene[] | null
  takenAtMs: number | null
  hasSeenPlaces: boolean
  /** Runs out when nothing has been seen for a while. */
  interruption: AbortController | undefined
}

/** One row of `/active/alerts`. */
export interface ActiveAlert {
  readonly alert: Alert
  readonly process: WatchedProcess
  /** Whether anything that was seen has had a place on Earth. */
  readonly hasSeenPlaces: boolean
}

export interface EngineDeps extends Omit<TellerDeps, 'budget' | 'progressBudget' | 'clock' | 'log'> {
  readonly clock: Clock
  readonly log: Log
}

/** Ten seconds of a busy stream: longer no database takes to list a few alerts, or it is down. */
const MAX_EARLY = 300

export type Engine = ReturnType<typeof createEngine>

/** Runs the analyses of all alerts over the scenes of all processes. */
export function createEngine(deps: EngineDeps) {
  const { clock, log } = deps
  const budgets = { budget: createSendBudget(clock), progressBudget: createSendBudget(clock) }
  const runs = new Map<string, Run>()
  /** By process, those that go on from where the service was cut short; a process that comes back takes them over. */
  const restored = new Map<string, Map<string, Teller>>()
  /** Of processes that have ended and whose last notifications are not on disk yet. */
  const leaving = new Set<Teller>()
  const ofAccount = (accountId: string) => [...runs.values()].filter(({ process }) => process.accountId === accountId)
  const tellerOf = ({ tellers, process }: Pick<Run, 'tellers' | 'process'>, alertId: string): Teller => {
    const teller = tellers.get(alertId) ?? createTeller(alertId, process, { ...deps, ...budgets })
    tellers.set(alertId, teller)
    return teller
  }

  /** Without a scene: nothing was seen to happen, and the last one that was seen dates it. */
  function tell(run: Run, watch: Watch, happenings: readonly Happening[], scene?: Scene): void {
    const { alert, analysis } = watch
    const [before, after] = [watch.unfinished, run.watches.has(alert.id) ? analysis.unfinished : 0]
    watch.unfinished = after
    const isProgress = before > 0 || after > 0
    if (happenings.length === 0 && !isProgress) return
    const takenAtMs = run.takenAtMs ?? clock.now()
    const left = isProgress && {
      alert,
      happenings: after > 0 ? analysis.end('service-restart') : [],
      seenAt: { takenAtMs },
    }
    const teller = tellerOf(run, alert.id)
    const seenAt = { takenAtMs, detectedAtMs: scene?.detectedAtMs }
    // Where a target is comes often, and nothing depends on which place is told last: that costs no write.
    const isTurn = happenings.some((happening) => !isUpdate(happening))
    teller.tell(alert, happenings, seenAt, (isTurn && left) || undefined)
    if (left && !isTurn) teller.note(left)
  }

  function begin(run: Run, alert: Alert): void {
    const { setup } = alert
    const analysis = kindOf(setup).create(setup, { pictureOf: (trackId) => run.patches.base64Of(trackId) })
    run.watches.set(alert.id, { alert, analysis, unfinished: 0, isBroken: false })
  }

  function end(run: Run, watch: Watch, reason: EndReason): void {
    run.watches.delete(watch.alert.id)
    tell(run, watch, watch.analysis.end(reason))
  }

  function look(run: Run, scene: Scene): void {
    run.takenAtMs = scene.takenAtMs
    run.hasSeenPlaces ||= scene.tracks.some(({ location }) => location?.point !== undefined)
    run.patches.keepFor(scene)
    for (const watch of run.watches.values()) {
      try {
        const happenings = watch.analysis.update(scene)
        if (happenings.length > 0 || watch.analysis.unfinished !== watch.unfinished) tell(run, watch, happenings, scene)
      } catch (error) {
        // One that fails must not silence the others; it would fail at every frame, so it is told once.
        if (!watch.isBroken) log.error({ err: error, alert_uuid: watch.alert.id }, 'an analysis failed')
        watch.isBroken = true
      }
    }
  }

  async function awaitInterruption(run: Run, { signal }: AbortController): Promise<void> {
    await clock.sleep(GAP_MS, signal)
    if (signal.aborted) return
    for (const watch of run.watches.values()) if (watch.analysis.interrupt) tell(run, watch, watch.analysis.interrupt())
  }

  async function letGo(tellers: Iterable<Teller>): Promise<void> {
    await Promise.all(
      [...tellers].map(async (teller) => {
        leaving.add(teller)
        await teller.flush()
        leaving.delete(teller)
      }),
    )
  }

  return {
    /** Before processes come back: what went on when the service was cut short is told to be over, ahead of anything new. */
    restore(alertId: string, progress: Progress): void {
      const { process } = progress
      const tellers = restored.get(process.processId) ?? new Map<string, Teller>()
      restored.set(process.processId, tellers)
      tellerOf({ tellers, process }, alertId).restore(progress)
    },

    /** After processes have come back. Resolves when all is on disk that was told of those that did not. */
    async letGoRestored(): Promise<void> {
      const left = [...restored.values()]
      restored.clear()
      await letGo(left.flatMap((tellers) => [...tellers.values()]))
    },

    /** Takes a process under watch; false when it was already. Until its alerts are known, scenes wait. */
    open(process: WatchedProcess): boolean {
      if (runs.has(process.processId)) return false
      runs.set(process.processId, {
        process,
        watches: new Map(),
        tellers: restored.get(process.processId) ?? new Map<string, Teller>(),
        patches: createTrackPatches(),
        early: [],
        takenAtMs: null,
        hasSeenPlaces: false,
        interruption: undefined,
      })
      restored.delete(process.processId)
      return true
    },

    /** These alerts are active at the process; scenes that waited are looked at now. */
    fill(processId: string, alerts: readonly Alert[]): void {
      const run = runs.get(processId)
      if (!run?.early) return
      for (const alert of alerts) if (!run.watches.has(alert.id)) begin(run, alert)
      const { early } = run
      run.early = null
      for (const scene of early) look(run, scene)
    },

    isOpen: (processId: string): boolean => runs.has(processId),

    onScene(processId: string, scene: Scene): void {
      const run = runs.get(processId)
      if (!run?.early) return run && look(run, scene)
      run.early.push(scene)
      if (run.early.length > MAX_EARLY) run.early.shift()
    },

    onPictures(processId: string, pictures: readonly TrackPicture[]): void {
      runs.get(processId)?.patches.add(pictures)
    },

    /** A process sees nothing for now (it is paused, or its source is lost), or sees again. */
    setSeeing(processId: string, isSeeing: boolean): void {
      const run = runs.get(processId)
      if (!run || isSeeing === (run.interruption === undefined)) return
      run.interruption?.abort()
      run.interruption = isSeeing ? undefined : new AbortController()
      if (run.interruption) void awaitInterruption(run, run.interruption)
    },

    /** Resolves when the last notifications of the process are on disk. */
    async close(processId: string, reason: EndReason): Promise<void> {
      const run = runs.get(processId)
      if (!run) return
      runs.delete(processId)
      run.interruption?.abort()
      for (const watch of run.watches.values()) end(run, watch, reason)
      await letGo(run.tellers.values())
    },

    /** Where an active alert is not watched yet, it is from now on; where it is, only its alias changes. */
    enable(alert: Alert): void {
      for (const run of ofAccount(alert.accountId)) {
        if (alert.processId !== null && alert.processId !== run.process.processId) continue
        const watch = run.watches.get(alert.id)
        if (watch) watch.alert = { ...watch.alert, alias: alert.alias }
        else begin(run, alert)
      }
    },

    disable(alert: Alert, reason: EndReason): void {
      for (const run of ofAccount(alert.accountId)) {
        const watch = run.watches.get(alert.id)
        if (watch) end(run, watch, reason)
      }
    },

    /** Stops it everywhere without a word; once this has resolved, nothing more of it is handed over. */
    async discard({ id, accountId }: Alert): Promise<void> {
      await Promise.all(
        ofAccount(accountId).map(async ({ watches, tellers }) => {
          watches.delete(id)
          await tellers.get(id)?.discard()
          tellers.delete(id)
        }),
      )
    },

    /** The pipeline of a process is launched anew: alerts that were changed since are begun anew. */
    renew(processId: string, alerts: readonly Alert[]): void {
      const run = runs.get(processId)
      if (!run) return
      for (const alert of alerts) {
        const watch = run.watches.get(alert.id)
        if (!watch || isSameSetup(watch.alert.setup, alert.setup)) continue
        end(run, watch, 'alert-changed')
        begin(run, alert)
      }
    },

    /** The processes at which an alert still runs as it was before its last change. */
    pendingAt({ id, accountId, setup }: Alert): string[] {
      const isPending = ({ watches }: Run) => {
        const watch = watches.get(id)
        return watch !== undefined && !isSameSetup(watch.alert.setup, setup)
      }
      return ofAccount(accountId).flatMap((run) => (isPending(run) ? [run.process.processId] : []))
    },

    /** Newest alerts first. */
    list(accountId: string): ActiveAlert[] {
      const rows = ofAccount(accountId).flatMap(({ process, watches, hasSeenPlaces }) =>
        [...watches.values()].map(({ alert }) => ({ alert, process, hasSeenPlaces })),
      )
      return rows.sort((a, b) => (a.alert.id < b.alert.id ? 1 : a.alert.id > b.alert.id ? -1 : 0))
    },

    /** The service stops: what goes on is told to be over, since nobody looks any more. */
    async closeAll(): Promise<void> {
      const left = [...runs.values()]
      runs.clear()
      for (const run of left) {
        run.interruption?.abort()
        for (const watch of run.watches.values()) end(run, watch, 'service-stopping')
      }
      const tellers = [
        ...leaving,
        ...[...left.map((run) => run.tellers), ...restored.values()].flatMap((own) => [...own.values()]),
      ]
      await Promise.all(tellers.map((teller) => teller.close()))
    },
  }
}
