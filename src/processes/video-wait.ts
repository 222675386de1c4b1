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

const FIRST_PICTURE_TIMEOUT_MS = 30_000
/** A source that comes and goes all the time does not keep the machine loading models. */
const REST_MS = 5_000

export function startVideoWait({ record, status, workers, isVideoThere, clock, signal }: VideoWaitDeps): VideoWait {
  /** The last worker is ending, or has just ended. */
  let isResting = false
  let wakes = 0

  function onVideo(): void {
    if (signal.aborted || isResting || status.condition.link !== 'waiting') return
    wakes += 1
    status.update({ link: 'starting', trouble: null })
    workers.wake()
    void watchFirstPicture(wakes)
  }

  async function watchFirstPicture(wake: number): Promise<void> {
    await clock.sleep(FIRST_PICTURE_TIMEOUT_MS, signal)
    if (!signal.aborted && wake === wakes && status.condition.link === 'starting')
      await rest('The source sends no picture that can be shown; it is tried again.')
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
