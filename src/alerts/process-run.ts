import { type Clock } from '../core/clock.ts'
import { type Scene } from '../core/scene.ts'
import { type ScenePicture, type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type Alert, isSameSetup } from './alert.ts'
import { type EndReason } from './analyses/analysis.ts'
import { kindOf } from './analyses/kinds.ts'
import { createLastNotification, eitherOf, type LastNotification } from './analyses/last-notification.ts'
import { GAP_MS } from './analyses/scene-time.ts'
import { createRunningAlert, type RunningAlert, type RunningAlertDeps } from './running-alert.ts'
import { createTrackPatches } from './track-patches.ts'
import { createTrackScenes } from './track-scenes.ts'

/** The alerts at one process, from when it is first seen until it ends. Until its alerts are known, scenes wait. */
export interface ProcessRun {
  /** As they run here, which may be as they were before their last change. */
  readonly alerts: readonly Alert[]
  /** Whether anything that was seen has had a place on Earth. */
  readonly hasSeenPlaces: boolean
  /** These alerts are active; scenes that waited are looked at now. */
  begin(alerts: readonly Alert[]): void
  onScene(scene: Scene): void
  onPictures(pictures: readonly TrackPicture[]): void
  onScenePicture(picture: ScenePicture): void
  /** What was seen then, in base64: one track, or all. Null where no picture of it comes. */
  sceneOf(trackId: number | null, takenAtMs: number): Promise<string | null>
  /** It sees nothing for now (it is paused, or its source is lost), or sees again. */
  setSeeing(isSeeing: boolean): void
  /** One that runs here already only gets its alias. */
  enable(alert: Alert): void
  disable(alertId: string, reason: EndReason): void
  /** Stops it without an event. */
  discard(alertId: string): void
  /** The pipeline is launched anew: alerts that were changed since begin anew. */
  renew(alerts: readonly Alert[]): void
  /** Its process goes on elsewhere: everything stops without an event. */
  leave(): void
  end(reason: EndReason): void
}

/** The pipeline as alerts see it: whether it makes pictures, and whole scenes on request. */
export interface ScenePipeline {
  /** Whether it makes pictures of its tracks. */
  keepsPictures(): boolean
  /** Only while they are wanted, frames are held of which one could be asked for. */
  setWanted(isWanted: boolean): void
  /** Of the frame that was taken then, with one track, or with null with all. */
  request(trackId: number | null, takenAtMs: number): void
}

export interface ProcessRunDeps {
  readonly pipeline: ScenePipeline
  readonly notifierOf: (alertId: string) => ReturnType<RunningAlertDeps['notifier']>
  readonly lastNotificationOf: (alertId: string) => LastNotification
  readonly clock: Clock
  readonly log: Log
}

/** Ten seconds of a busy stream: longer no database takes to list a few alerts, or it is down. */
const MAX_EARLY = 300

export function createProcessRun({ pipeline, notifierOf, lastNotificationOf, clock, log }: ProcessRunDeps): ProcessRun {
  const running = new Map<string, RunningAlert>()
  const patches = createTrackPatches()
  const scenes = createTrackScenes((trackId, takenAtMs) => pipeline.request(trackId, takenAtMs), clock)
  let areScenesWanted = false
  /** Scenes that came before the alerts were read; null afterwards. */
  let early: Scene[] | null = []
  let takenAtMs: number | null = null
  let hasSeenPlaces = false
  /** Runs out when nothing has been seen for a while. */
  let interruption: AbortController | undefined

  const lastTakenAtMs = () => takenAtMs ?? clock.now()

  function start(alert: Alert): void {
    // Its own one too: two processes on one file are at different places of it.
    const lastNotification = eitherOf(createLastNotification(), lastNotificationOf(alert.id))
    const analysis = kindOf(alert.setup).create(alert.setup, {
      keepsPictures: () => pipeline.keepsPictures(),
      pictureOf: (trackId) => patches.base64Of(trackId),
      sceneOf: (trackId, takenAtMs) => scenes.base64Of(trackId, takenAtMs),
      lastNotification,
    })
    running.set(alert.id, createRunningAlert(alert, { analysis, notifier: () => notifierOf(alert.id), log }))
    updateWanted()
  }

  /** After alerts have begun or ended: any of them may find something that is to be shown. */
  function updateWanted(): void {
    const areWanted = running.size > 0
    if (areWanted === areScenesWanted) return
    areScenesWanted = areWanted
    pipeline.setWanted(areWanted)
  }

  function remove(alertId: string): RunningAlert | undefined {
    const removed = running.get(alertId)
    running.delete(alertId)
    updateWanted()
    return removed
  }

  /** Whether it had something to say. */
  function stop(alertId: string, reason: EndReason): boolean {
    return remove(alertId)?.end(reason, lastTakenAtMs()) ?? false
  }

  function look(scene: Scene): void {
    takenAtMs = scene.takenAtMs
    hasSeenPlaces ||= scene.tracks.some(({ location }) => location?.point !== undefined)
    patches.keepFor(scene)
    for (const one of running.values()) one.onScene(scene)
  }

  async function awaitInterruption({ signal }: AbortController): Promise<void> {
    await clock.sleep(GAP_MS, signal)
    if (signal.aborted) return
    for (const one of running.values()) one.interrupt(lastTakenAtMs())
  }

  return {
    get alerts() {
      return [...running.values()].map(({ alert }) => alert)
    },
    get hasSeenPlaces() {
      return hasSeenPlaces
    },
    begin(alerts) {
      if (!early) return
      for (const alert of alerts) if (!running.has(alert.id)) start(alert)
      const waiting = early
      early = null
      for (const scene of waiting) look(scene)
    },
    onScene(scene) {
      if (!early) return look(scene)
      early.push(scene)
      if (early.length > MAX_EARLY) early.shift()
    },
    onPictures: (pictures) => patches.add(pictures),
    onScenePicture: (picture) => scenes.add(picture),
    sceneOf: (trackId, takenAtMs) => scenes.whenThere(trackId, takenAtMs),
    setSeeing(isSeeing) {
      if (isSeeing === (interruption === undefined)) return
      interruption?.abort()
      interruption = isSeeing ? undefined : new AbortController()
      if (interruption) void awaitInterruption(interruption)
    },
    enable(alert) {
      const known = running.get(alert.id)
      if (known) known.setAlias(alert.alias)
      else start(alert)
    },
    disable: (alertId, reason) => void stop(alertId, reason),
    discard: (alertId) => void remove(alertId),
    renew(alerts) {
      for (const alert of alerts) {
        const known = running.get(alert.id)
        if (!known || isSameSetup(known.alert.setup, alert.setup)) continue
        stop(alert.id, 'alert-changed')
        start(alert)
      }
    },
    leave() {
      interruption?.abort()
      running.clear()
    },
    end(reason) {
      interruption?.abort()
      // For a process that is started on the same source soon after.
      for (const alertId of running.keys()) if (stop(alertId, reason)) lastNotificationOf(alertId).note(lastTakenAtMs())
    },
  }
}
