import { rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { backoffMs } from '../core/retry.ts'
import { type Log } from '../observe/log.ts'
import { isFileIn } from '../storage/is-file-in.ts'
import { type KeptFiles } from '../storage/kept-files.ts'
import { type DiskState, mayGrow } from '../storage/disk-shares.ts'
import { type JobKind, RETRY_WAITS } from '../storage/job-kind.ts'
import { type Job } from '../storage/jobs.store.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Recorder, type StoppedAccounts } from './recorder.ts'
import { RECORDINGS, removeSegmentFile } from './recording-closer.ts'
import { type Segment, type SegmentStore } from './segments.store.ts'

export interface RecordingKeeperDeps {
  readonly dataDir: string
  readonly segments: Omit<SegmentStore, 'insert' | 'end' | 'grow' | 'find'>
  readonly places: Pick<FilePlaces, 'forget' | 'withoutStored'>
  readonly recorder: Pick<Recorder, 'setStopped' | 'isStopped'>
  readonly clock: Clock
  readonly log: Log
}

/** What is left to a node to remove from its disk: its row is gone. */
export const RECORDING_REMOVAL = 'recording-removal'
export interface RecordingRemoval {
  readonly file: string
}

const BATCH = 100
/** Room that must be there again before recording goes on, so that it does not stop and go. */
const RESUME_AT_BYTES = 2 ** 20

/**
 * Lets go of recordings: of what is older than its account keeps, of what was recorded by event where none was, and of the least important
 * and oldest when the disk's budget is used up.
 */
export interface RecordingKeeper {
  /** The recordings as the disk's budget counts and removes them. */
  readonly kept: KeptFiles
  readonly jobs: readonly JobKind[]
  /** Stops recording where a pass of the disk's budget has left no room, and lets it go on where there is some. */
  onPass(state: DiskState | undefined): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

export function createRecordingKeeper(deps: RecordingKeeperDeps): RecordingKeeper {
  const { dataDir, segments, places, recorder, clock, log } = deps
  let lastStopped: StoppedAccounts = new Set()

  async function remove(segment: Segment): Promise<void> {
    // The file first: a row without a file is found and removed later, a file without a row never. One of another node is none here,
    // and a job of that node, which comes in the place of its row, removes it there.
    await places.forget([segment.file])
    await removeSegmentFile(dataDir, segment)
    await segments.remove(segment)
  }

  /** One that cannot be removed keeps none of the others. Answers why it could not be, of each of those. */
  async function removeEach(some: readonly Segment[]): Promise<Error[]> {
    const failures: Error[] = []
    for (const segment of some) await remove(segment).catch((error: unknown) => failures.push(error as Error))
    if (failures.length > 0)
      log.error({ err: failures[0], segments: failures.length }, 'recordings cannot be removed; trying again later')
    return failures
  }

  async function sweepExpired(_job: Job, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const expired = await segments.listExpired(clock.now(), BATCH)
      const removed = expired.length - (await removeEach(expired)).length
      if (removed > 0) log.info({ segments: removed }, 'recordings past their retention removed')
      // What cannot be removed is listed again, before all others.
      if (expired.length < BATCH || removed === 0) return
    }
  }

  async function onPass(state: DiskState | undefined): Promise<void> {
    // While there is more to remove, nobody has to stop.
    if (!state) return
    const stopped = chooseStopped(state)
    if (isSame(stopped, lastStopped)) return
    lastStopped = stopped
    const accounts = stopped === 'all' ? stopped : [...stopped]
    if (accounts.length > 0) log.error({ accounts }, 'there is no room and nothing left to remove: recording stops')
    else log.info('there is room again: recording goes on')
    await recorder.setStopped(stopped)
  }

  /** Those above their share; everybody only when the disk itself is full. */
  function chooseStopped(state: DiskState): StoppedAccounts {
    if (state.diskLeftBytes < (lastStopped === 'all' ? RESUME_AT_BYTES : 0)) return 'all'
    const ids = state.holders.map(({ accountId }) => accountId)
    return new Set(ids.filter((id) => !mayGrow(state, id, recorder.isStopped(id) ? RESUME_AT_BYTES : 0)))
  }

  return {
    kept: {
      isSlowToCount: true,
      heldBytes: async () => places.withoutStored(RECORDINGS, await segments.heldBytes()),
      removal: {
        writingBytes: () => segments.writingBytes(),
        async listOldest(accountId, limit) {
          const oldest = await segments.listOldest(accountId, limit)
          return oldest.map((segment) => ({
            importance: segment.importance,
            writtenAt: segment.startedAt,
            sizeBytes: segment.sizeBytes,
            remove: () => remove(segment),
          }))
        },
      },
    },
    jobs: [
      { kind: 'recording-retention', everyMs: 300_000, handle: sweepExpired },
      {
        kind: RECORDING_REMOVAL,
        // Never buried, however long its node was away: nobody else knows of the file by now.
        onFailure: ({ attempts }) => ({ do: 'retry', inMs: backoffMs(attempts - 1, RETRY_WAITS) }),
        async handle({ payload }) {
          const removal = payload as RecordingRemoval
          if (isFileIn(RECORDINGS, removal.file)) await removeSegmentFile(dataDir, removal)
        },
      },
    ],
    onPass,
    async removeAllOf(accountId) {
      const all = await segments.listOfAccount(accountId)
      const [failure] = await removeEach(all)
      if (failure) throw failure
      // Of each source there is a folder, which stays otherwise, for what it records next.
      const folders = new Set(all.map(({ file }) => dirname(dirname(join(dataDir, file)))))
      for (const folder of folders) if (basename(dirname(folder)) === RECORDINGS) await rmdir(folder).catch(() => {})
    },
  }
}

function isSame(a: StoppedAccounts, b: StoppedAccounts): boolean {
  if (a === 'all' || b === 'all') return a === b
  return a.size === b.size && [...a].every((accountId) => b.has(accountId))
}
