import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents, type ProcessBrief } from '../core/events.ts'
import { isWarningNew, type MinutesLow } from '../core/minutes.ts'
import { isLive } from '../core/process-facts.ts'
import { type Log } from '../observe/log.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { type ModelSpeeds } from './model-speeds.ts'
import { type Process } from './process.ts'
import { type SupervisorDeps } from './supervisor.ts'

export interface ProcessEvents extends Pick<
  SupervisorDeps,
  'onScene' | 'onState' | 'onPicture' | 'onScenePicture' | 'onTrackPictures'
> {
  readonly onMinutesLow: (low: MinutesLow) => void
}

export interface ProcessEventsDeps {
  readonly bus: Pick<Bus<AppEvents>, 'emit'>
  readonly channel: Pick<DetectionChannel, 'onScene' | 'onMinutesLow' | 'onEnd'>
  /** Sends its clients how it goes with it now. */
  readonly lookAt: (process: Process) => void
  readonly speeds: Pick<ModelSpeeds, 'note'>
  readonly inferenceThreads: number
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Passes what happens in processes to the clients of detection data, and to the other features over the bus. */
export function createProcessEvents(deps: ProcessEventsDeps): ProcessEvents {
  const { bus, channel, lookAt, speeds, inferenceThreads, clock, log } = deps
  /** What each account had been allotted when its operator was last warned. */
  const warnedAllottedSeconds = new Map<string, number>()

  function onEnd(process: Process): void {
    channel.onEnd(process)
    if (process.stats)
      speeds
        .note(process.options.model, inferenceThreads, process.stats, clock.now())
        .catch((error: unknown) => log.warn({ err: error }, 'the speed of a model could not be noted'))
  }

  return {
    onScene(process, scene) {
      channel.onScene(process, scene)
      bus.emit('scene', { process: toBrief(process), scene })
    },
    onState(process, previous) {
      const reason = process.error ?? process.stopReason
      log.info({ process_uuid: process.id, state: process.state, reason }, 'process')
      bus.emit('process-state', {
        processId: process.id,
        accountId: process.accountId,
        sourceId: process.sourceId,
        state: process.state,
        previousState: previous.state,
        isLive: isLive(process.state),
        reason,
        restarts: process.restarts,
      })
      lookAt(process)
      if (!isLive(process.state)) onEnd(process)
    },
    onMinutesLow(low) {
      channel.onMinutesLow(low)
      bus.emit('minutes-low', low)
      const { accountId, allottedSeconds, lastsSeconds } = low
      if (!isWarningNew(low, warnedAllottedSeconds.get(accountId) ?? null)) return
      warnedAllottedSeconds.set(accountId, allottedSeconds)
      log.warn({ account_id: accountId, lasts_seconds: lastsSeconds }, 'a key has less than a day of minutes left')
    },
    onPicture: ({ id }, jpeg) => bus.emit('feed-picture', { processId: id, jpeg }),
    onScenePicture: ({ id }, picture) => bus.emit('scene-picture', { processId: id, picture }),
    onTrackPictures: (process, pictures) => bus.emit('track-pictures', { process: toBrief(process), pictures }),
  }
}

function toBrief({ id, accountId, sourceId, sourceUrl, options }: Process): ProcessBrief {
  return { processId: id, accountId, sourceId, sourceUrl, isReported: options.isReported }
}
