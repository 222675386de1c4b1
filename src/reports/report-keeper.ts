import { type Clock } from '../core/clock.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type Collector } from './collector.ts'
import { type KnownPictures, type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'
import { type ReportProcesses } from './reports.service.ts'
import { type ReportStore } from './reports.store.ts'

export interface ReportKeeperDeps {
  readonly retentionDays: number
  readonly store: ReportStore
  readonly pictures: Pick<PictureStore, 'listFiles'>
  readonly files: Pick<PictureFiles, 'remove' | 'removeAllOf' | 'removeUnknown'>
  readonly collector: Pick<Collector, 'without'>
  readonly processes: Pick<ReportProcesses, 'removeVideo'>
  readonly clock: Clock
}

/** Removes reports: what is past its retention, what belonged to a key that was purged, and what a crash left behind. */
export interface ReportKeeper {
  readonly job: JobKind
  removeAllOf(accountId: string): Promise<void>
}

const HOUR_MS = 3_600_000
const BATCH = 100

export function createReportKeeper(deps: ReportKeeperDeps): ReportKeeper {
  const { retentionDays, store, pictures, files, collector, processes, clock } = deps
  /** By the file system's clock; everything is looked at once after each start. */
  let sweptAt = -Infinity

  async function clear(processId: string): Promise<void> {
    await store.removeTracks(processId)
    await files.removeAllOf(processId)
  }

  async function removeExpired(signal: AbortSignal): Promise<void> {
    const time = clock.now() - retentionDays * 24 * HOUR_MS
    while (!signal.aborted) {
      const processIds = await store.listEndedBefore(time, BATCH)
      for (const processId of processIds) {
        await store.hide(processId)
        await clear(processId)
        // Its link stood in the report's listing only.
        await processes.removeVideo(processId)
      }
      if (processIds.length < BATCH) break
    }
    await files.remove(await store.removeTracksBefore(time))
  }

  return {
    job: {
      kind: 'report-retention',
      everyMs: HOUR_MS,
      async handle(_job, signal) {
        await removeExpired(signal)
        await store.removeUnknown()
        const now = Date.now()
        const known: KnownPictures = {
          isReported: (processId) => store.isReported(processId),
          listFiles: (processId) => pictures.listFiles(processId),
        }
        await files.removeUnknown(known, sweptAt)
        // What was too new to be judged is looked at again.
        sweptAt = now - HOUR_MS
      },
    },
    async removeAllOf(accountId) {
      for (const processId of await store.hideAllOf(accountId)) {
        // What is being written is waited for, and what is not is forgotten.
        await collector.without(processId, async () => {})
        await clear(processId)
      }
    },
  }
}
