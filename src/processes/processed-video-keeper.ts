import { type Log } from '../observe/log.ts'
import { type HeldBytes, type KeptFiles } from '../storage/kept-files.ts'
import { type DiskState, mayGrow } from '../storage/disk-shares.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { PROCESSED, type ProcessedVideoFolder } from './processed-video-folder.ts'

export interface ProcessedVideoKeeperDeps {
  readonly videos: Pick<ProcessedVideoFolder, 'listIds' | 'measure' | 'listUnstored' | 'removeUnstored'>
  readonly places: Pick<FilePlaces, 'withoutCopies'>
  /** The processes that live now and are to be kept. */
  readonly recordings: {
    list(): readonly RecordedProcess[]
    stop(processId: string): void
    resume(processId: string): void
  }
  /** Whose these processes are, and whether they have ended; a video of one that has not is not for removal. */
  readonly findOwners: (processIds: readonly string[]) => Promise<readonly ProcessOwner[]>
  readonly log: Log
}

export interface RecordedProcess {
  readonly processId: string
  readonly accountId: string
}

export interface ProcessOwner extends RecordedProcess {
  readonly hasEnded: boolean
}

/**
 * Without room the oldest videos of processes that have ended go, of accounts above their share. When there are none left,
 * the processes of those accounts go on but are no longer kept, until there is room again.
 */
export interface ProcessedVideoKeeper {
  /** The videos as the disk's budget counts and removes them. */
  readonly kept: KeptFiles
  /** Stops keeping where a pass of the disk's budget has left no room, and goes on where there is some. */
  onPass(state: DiskState | undefined): void
}

/** Room that must be there again before keeping goes on, so that it does not stop and go: whichever is smaller. */
const RESUME_AT_SHARE = 0.05
const RESUME_AT_BYTES = 1e9

export function createProcessedVideoKeeper({
  videos,
  places,
  recordings,
  findOwners,
  log,
}: ProcessedVideoKeeperDeps): ProcessedVideoKeeper {
  const stopped = new Set<string>()

  /** A video whose process is forgotten has no owner; it is about to be removed. */
  const listOwners = async () => findOwners(await videos.listIds())

  /** One by one: there may be thousands, and nobody waits. */
  async function measureAll(owners: readonly ProcessOwner[]): Promise<HeldBytes> {
    const held = new Map<string, number>()
    for (const { processId, accountId } of owners) {
      const { sizeBytes } = await videos.measure(processId)
      held.set(accountId, (held.get(accountId) ?? 0) + sizeBytes)
    }
    return held
  }

  function settle(state: DiskState): void {
    const resumeAtBytes = Math.min(Math.max(0, state.limitBytes) * RESUME_AT_SHARE, RESUME_AT_BYTES)
    const accounts = new Set<string>()
    let resumed = 0
    // A process that was started meanwhile is stopped at the next look.
    for (const { processId, accountId } of recordings.list()) {
      const isStopped = stopped.has(processId)
      const hasRoom = mayGrow(state, accountId, isStopped ? resumeAtBytes : 0)
      if (hasRoom === !isStopped) continue
      if (hasRoom) {
        recordings.resume(processId)
        stopped.delete(processId)
        resumed += 1
      } else {
        recordings.stop(processId)
        stopped.add(processId)
        accounts.add(accountId)
      }
    }
    if (accounts.size > 0)
      log.warn({ accounts: [...accounts] }, 'there is no room and nothing left to remove: processed video is not kept')
    if (resumed > 0) log.info('there is room again: processed video is kept')
  }

  return {
    kept: {
      isSlowToCount: true,
      heldBytes: async () => places.withoutCopies(PROCESSED, await measureAll(await listOwners())),
      removal: {
        writingBytes: async () => measureAll((await listOwners()).filter(({ hasEnded }) => !hasEnded)),
        async listOldest(accountId, limit) {
          const removable = []
          for (const owner of await listOwners()) {
            if (owner.accountId !== accountId || !owner.hasEnded) continue
            const { processId } = owner
            const { writtenAt } = await videos.measure(processId)
            const sizeBytes = (await videos.listUnstored(processId)).reduce((sum, file) => sum + file.sizeBytes, 0)
            if (sizeBytes > 0) removable.push({ writtenAt, sizeBytes, remove: () => videos.removeUnstored(processId) })
          }
          return removable.sort((a, b) => a.writtenAt - b.writtenAt).slice(0, limit)
        },
      },
    },
    onPass(state) {
      const living = new Set(recordings.list().map(({ processId }) => processId))
      for (const processId of stopped) if (!living.has(processId)) stopped.delete(processId)
      // While there is more to remove, nobody has to stop.
      if (state) settle(state)
    },
  }
}
