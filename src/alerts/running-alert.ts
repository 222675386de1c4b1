import { type Scene } from '../core/scene.ts'
import { type Log } from '../observe/log.ts'
import { type AlertNotifier } from './alert-notifier.ts'
import { type Alert } from './alert.ts'
import { type AlertEvent, type Analysis, type EndReason, isUpdate, type SeenAt } from './analyses/analysis.ts'

/** An alert at a process: its analysis looks at every scene, and its notifier gets what that finds. */
export interface RunningAlert {
  /** As it was when the pipeline was launched or the alert enabled. */
  readonly alert: Alert
  setAlias(alias: string): void
  onScene(scene: Scene): void
  /** Nothing has been seen for longer than tracks live; the last scene was taken at this time. */
  interrupt(takenAtMs: number): void
  /** It looks at nothing any more; the last scene was taken at this time. Whether it had something to say. */
  end(reason: EndReason, takenAtMs: number): boolean
}

export interface RunningAlertDeps {
  readonly analysis: Analysis
  /** Asked for only when there is something to send: most alerts find nothing. */
  readonly notifier: () => Pick<AlertNotifier, 'notify' | 'setUnfinished'>
  readonly log: Log
}

export function createRunningAlert(started: Alert, { analysis, notifier, log }: RunningAlertDeps): RunningAlert {
  let alert = started
  /** As many as its notifier knows of. */
  let unfinishedCount = 0
  let hasFailed = false

  function notify(events: readonly AlertEvent[], seenAt: SeenAt, isOver = false): void {
    const left = isOver ? 0 : analysis.unfinished
    const isProgress = unfinishedCount > 0 || left > 0
    unfinishedCount = left
    if (events.length === 0 && !isProgress) return
    const unfinished = isProgress && {
      alert,
      events: left > 0 ? analysis.end('service-restart') : [],
      seenAt: { takenAtMs: seenAt.takenAtMs },
    }
    // Updates are frequent, and a restart may go on from any of them: they cost no write of progress.
    const changesState = events.some((event) => !isUpdate(event))
    notifier().notify(alert, events, seenAt, (changesState && unfinished) || undefined)
    if (unfinished && !changesState) notifier().setUnfinished(unfinished)
  }

  return {
    get alert() {
      return alert
    },
    setAlias: (alias) => void (alert = { ...alert, alias }),
    onScene(scene) {
      const { takenAtMs, detectedAtMs } = scene
      try {
        const events = analysis.update(scene)
        if (events.length > 0 || analysis.unfinished !== unfinishedCount) notify(events, { takenAtMs, detectedAtMs })
      } catch (error) {
        // One that fails must not silence the others; it would fail at every frame, so it is logged once.
        if (!hasFailed) log.error({ err: error, alert_uuid: alert.id }, 'an analysis failed')
        hasFailed = true
      }
    },
    interrupt(takenAtMs) {
      if (analysis.interrupt) notify(analysis.interrupt(), { takenAtMs })
    },
    end(reason, takenAtMs) {
      const events = analysis.end(reason)
      notify(events, { takenAtMs }, true)
      return events.length > 0
    },
  }
}
