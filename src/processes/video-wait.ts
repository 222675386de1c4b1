import { backoffMs } from '../core/backoff.ts'
import { type Clock } from '../core/clock.ts'
import { type Process, waitsForVideo } from './process.ts'
import { type ProcessStatus } from './process-status.ts'
import { type WorkerSequence } from './worker-sequence.ts'

/** How a process that may begin later waits for its video: without a worker, which would take memory for nothing. */
export interface VideoWait {
  /** Video has come to where the process reads it. */
  onVideo(): void
  /** No video is there any more. False when the process does not wait for it. */
  begin(): boolean
}

export interface VideoWaitDeps {
  readonly record: { readonly current: Process }
  readonly status: Pick<ProcessStatus, 'condition' | 'update'>
  readonly workers: Pick<WorkerSequence, 'wake' | 'rest'>
  readonly isVideoThere: () => boolean
  readonly clock: Clock
  /** Aborted when the process is about to end. */
  readonly signal: AbortSignal
}

/** Longer after each start without a picture: a machine that is too busy for many at once would otherwise begin them for ever. */
const FIRST_PICTURE_TIMEOUTS = { firstMs: 30_000, maxMs: 480_000 }
const NO_PICTURE =
  'No picture could be shown in time: the source sends none, or this machine is too busy. It is tried again.'
/** A source that comes and goes all the time does not keep the machine loading models. */
const REST_MS = 5_000

export function startVideoWait({ record, status, workers, isVideoThere, clock, signal }: VideoWaitDeps): VideoWait {
  /** The last worker is ending, or has just ended. */
  let isResting = false
  let wakes = 0
  /** Since its last picture. */
  let lateStarts = 0

  function onVideo(): void {
    if (signal.aborted || isResting || status.condition.link !== 'waiting') return
    wakes += 1
    status.update({ link: 'starting', trouble: null })
    workers.wake()
    void watchFirstPicture(wakes)
  }

  async function watchFirstPicture(wake: number): Promise<void> {
    await clock.sleep(backoffMs(lateStarts, FIRST_PICTURE_TIMEOUTS), signal)
    if (signal.aborted || wake !== wakes) return
    if (status.condition.link !== 'starting') return void (lateStarts = 0)
    lateStarts += 1
    await rest(NO_PICTURE)
  }

  async function rest(trouble: string | null): Promise<void> {
    isResting = true
    status.update({ link: 'waiting', trouble })
    await workers.rest()
    await clock.sleep(REST_MS, signal)
    isResting = false
    if (isVideoThere()) onVideo()
  }

  if (isVideoThere()) onVideo()
  return {
    onVideo,
    begin() {
      if (!waitsForVideo(record.current)) return false
      void rest(null)
      return true
    },
  }
}
