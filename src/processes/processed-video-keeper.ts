import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type ProcessedVideos } from './processed-videos.ts'

export interface ProcessedVideoKeeperDeps {
  readonly videos: Pick<ProcessedVideos, 'list' | 'remove'>
  /** The processes that live now and are to be kept. */
  readonly recordings: {
    list(): readonly string[]
    stop(processId: string): void
    resume(processId: string): void
  }
  /** Processes that have not ended, whether or not they run yet: their videos are not for removal. */
  readonly listUnended: () => Promise<readonly string[]>
  readonly budget: Pick<DiskBudget, 'state'>
  readonly log: Log
}

/**
 * Without room the oldest videos of processes that have ended go. When there are none left, the processes go on but
 * are no longer kept, until there is room again.
 */
export interface ProcessedVideoKeeper {
  keepWithinBudget(signal: AbortSignal): Promise<void>
}

/** Room that must be there again before keeping goes on, so that it does not stop and go: whichever is smaller. */
const RESUME_AT_SHARE = 0.05
const RESUME_AT_BYTES = 1e9

export function createProcessedVideoKeeper({
  videos,
  recordings,
  listUnended,
  budget,
  log,
}: ProcessedVideoKeeperDeps): ProcessedVideoKeeper {
  const stopped = new Set<string>()
  let isFull = false

  /** Answers how much is still missing: at most zero, unless there is nothing more to remove. */
  async function removeOldest(missingBytes: number, signal: AbortSignal): Promise<number> {
    const unended = new Set(await listUnended())
    const ended = (await videos.list()).filter(({ processId, sizeBytes }) => sizeBytes > 0 && !unended.has(processId))
    for (const { processId, sizeBytes } of ended.sort((a, b) => a.writtenAt - b.writtenAt)) {
      if (missingBytes <= 0 || signal.aborted) break
      await videos.remove(processId)
      missingBytes -= sizeBytes
      log.warn({ process_uuid: processId }, 'the disk budget is used up: the oldest processed video is removed')
    }
    return missingBytes
  }

  function stopAll(): void {
    // A process that was started meanwhile is stopped at the next look.
    for (const processId of recordings.list().filter((id) => !stopped.has(id))) {
      recordings.stop(processId)
      stopped.add(processId)
    }
    if (!isFull && stopped.size > 0) {
      isFull = true
      log.warn('the disk budget is used up and there is nothing left to remove: processed video is not kept')
    }
  }

  function resumeAll(): void {
    for (const processId of stopped) recordings.resume(processId)
    stopped.clear()
    isFull = false
    log.info('there is room again: processed video is kept')
  }

  return {
    async keepWithinBudget(signal) {
      const { leftBytes, limitBytes } = await budget.state()
      const living = new Set(recordings.list())
      for (const processId of stopped) if (!living.has(processId)) stopped.delete(processId)
      if (leftBytes < 0) {
        const missingBytes = await removeOldest(-leftBytes, signal)
        if (missingBytes > 0 && !signal.aborted) stopAll()
      } else if (isFull && leftBytes > Math.min(limitBytes * RESUME_AT_SHARE, RESUME_AT_BYTES)) resumeAll()
    },
  }
}
