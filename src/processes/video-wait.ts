import { backoffMs } from '../core/retry.ts'
import { type Clock } from '../core/clock.ts'
import { type Process, waitsForVideo } from './process.ts'
import { type ProcessStatus } from './process-status.ts'
import { type WorkerSequence } from './worker-sequence.ts'

/** How a process that may begin later waits for its video: without a worker, which would take memory for nothing. */
export interface VideoWait {
  /** Video has come to where the process reads it. */
  onVideo(): void
  /** The worker reports `running`: it has its first picture, or has one again. */
  onPicture(): void
  /** Its worker crashed, or is launched anew: the next may have to wait for its turn. */
  onWorkerLost(): void
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
  /** Launches, and what makes the time that the last one has for its picture meaningless. */
  let launches = 0
  /** Since the video came. */
  let hasPicture = false
  /** Since its last picture. */
  let lateStarts = 0

  function onVideo(): void {
    if (signal.aborted || isResting || status.condition.link !== 'waiting') return
    hasPicture = false
    launches += 1
    status.update({ link: 'starting', trouble: null })
    workers.wake(() => hasPicture || void watchFirstPicture())
  }

  /** Of the worker that has just been started, which may have waited for its turn, or for one that crashed. */
  async function watchFirstPicture(): Promise<void> {
    const launch = ++launches
    await clock.sleep(backoffMs(lateStarts, FIRST_PICTURE_TIMEOUTS), signal)
    if (signal.aborted || hasPicture || launch !== launches || status.condition.link === 'waiting') return
    if (!isVideoThere()) return rest(null)
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
    onPicture() {
      hasPicture = true
      lateStarts = 0
    },
    onWorkerLost: () => void (launches += 1),
    begin() {
      if (!waitsForVideo(record.current)) return false
      void rest(null)
      return true
    },
  }
}
