import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { type Job } from '../storage/jobs.store.ts'
import { type Recorder } from './recorder.ts'
import { removeSegmentFile } from './recording-closer.ts'
import { type RecordingStore, type Segment } from './recordings.store.ts'

export interface RecordingKeeperDeps {
  readonly dataDir: string
  readonly store: RecordingStore
  readonly recorder: Pick<Recorder, 'pause' | 'resume' | 'isPaused'>
  readonly budget: DiskBudget
  readonly clock: Clock
  readonly log: Log
}

const BATCH = 100
/** Room that must be there again before recording goes on, so that it does not stop and go. */
const RESUME_AT_BYTES = 2 ** 20

/** Lets go of recordings: what is older than its account keeps, and the oldest when the disk's budget is used up. */
export interface RecordingKeeper {
  readonly jobs: readonly JobKind[]
  removeAllOf(accountId: string): Promise<void>
}

export function createRecordingKeeper({
  dataDir,
  store,
  recorder,
  budget,
  clock,
  log,
}: RecordingKeeperDeps): RecordingKeeper {
  async function remove(segment: Segment): Promise<void> {
    // The file first: a row without a file is found and removed later, a file without a row never.
    await removeSegmentFile(dataDir, segment)
    await store.removeSegment(segment)
  }

  async function sweepExpired(_job: Job, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const expired = await store.listExpired(clock.now(), BATCH)
      for (const segment of expired) await remove(segment)
      if (expired.length > 0) log.info({ segments: expired.length }, 'recordings past their retention removed')
      if (expired.length < BATCH) return
    }
  }

  async function keepWithinBudget(_job: Job, signal: AbortSignal): Promise<void> {
    let { leftBytes } = await budget.state()
    while (leftBytes < 0 && !signal.aborted) {
      const [oldest] = await store.listOldestSegments(1)
      if (!oldest) break
      await remove(oldest)
      leftBytes += oldest.sizeBytes
      log.warn({ segment: oldest.file }, 'the disk budget is used up: the oldest recording is removed')
    }
    if (leftBytes < 0 && !recorder.isPaused) {
      log.error('the disk budget is used up and there is nothing left to remove: recording stops')
      await recorder.pause()
    } else if (leftBytes > RESUME_AT_BYTES && recorder.isPaused) {
      log.info('there is room again: recording goes on')
      await recorder.resume()
    }
  }

  return {
    jobs: [
      { kind: 'recording-retention', everyMs: 600_000, handle: sweepExpired },
      { kind: 'disk-budget', everyMs: 10_000, handle: keepWithinBudget },
    ],
    async removeAllOf(accountId) {
      for (const segment of await store.listSegmentsOfAccount(accountId)) await remove(segment)
    },
  }
}
