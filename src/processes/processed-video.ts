import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Process } from './process.ts'
import { createProcessedVideoKeeper } from './processed-video-keeper.ts'
import { createProcessedVideoLinks, type ProcessedVideoLinks } from './processed-video-links.ts'
import { createProcessedVideoFolder, PROCESSED } from './processed-video-folder.ts'
import { type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

/** The processed video that is kept: recorded while a process runs, read by links, removed when there is no room. */
export interface ProcessedVideo {
  readonly recordings: ProcessRecordings
  readonly links: ProcessedVideoLinks
  /** How much of it is kept of a process. */
  heldBytes(processId: string): Promise<number>
  remove(processId: string): Promise<void>
  /** Removes the videos of processes that are no longer in the database. */
  removeForgotten(): Promise<void>
}

export interface ProcessedVideoDeps {
  readonly dataDir: string
  readonly supervisor: Pick<Supervisor, 'findLive' | 'listLiveProcesses' | 'send'>
  readonly store: Pick<ProcessStore, 'exists' | 'findOwners' | 'listEndedSince'>
  readonly accounts: { byId(accountId: string): Promise<Account> }
  readonly budget: Pick<DiskBudget, 'count' | 'onPass'>
  readonly places: FilePlaces
  readonly signer: LinkSigner
  readonly clock: Clock
  readonly log: Log
}

export function createProcessedVideo(deps: ProcessedVideoDeps): ProcessedVideo {
  const { dataDir, supervisor, store, accounts, budget, places, signer, clock, log } = deps
  const videos = createProcessedVideoFolder(dataDir, places)
  const recordings = createProcessRecordings(supervisor, (processId) => videos.folderOf(processId))
  const keeper = createProcessedVideoKeeper({
    videos,
    places,
    recordings,
    findOwners: (processIds) => store.findOwners(processIds),
    log,
  })
  places.add({
    kind: PROCESSED,
    isFoundByNote: true,
    async *listSettled(since) {
      const ids = await (since === 0 ? videos.listIds() : store.listEndedSince(since))
      for (const { processId, accountId, hasEnded } of await store.findOwners(ids))
        if (hasEnded) yield (await videos.listUnstored(processId)).map(({ file }) => ({ file, accountId }))
    },
  })
  budget.count(keeper.kept)
  budget.onPass((state) => keeper.onPass(state))

  async function hasKey(processId: string): Promise<boolean> {
    const [owner] = await store.findOwners([processId])
    return owner !== undefined && stillCounts(accounts.byId(owner.accountId))
  }

  return {
    recordings,
    links: createProcessedVideoLinks({ videos, signer, hasKey, clock }),
    heldBytes: (processId) => videos.heldBytes(processId),
    remove: (processId) => videos.remove(processId),
    removeForgotten: () => videos.removeUnknown((processId) => store.exists(processId)),
  }
}

/** The output of each process that keeps its processed video. */
interface ProcessRecordings {
  /** What a process starts with; nothing where its video is not kept. */
  outputsOf(process: Process): VideoOutput[]
  list(): { processId: string; accountId: string }[]
  stop(processId: string): void
  resume(processId: string): void
}

/** The name of that output. */
const RECORDING = 'recording'

export function createProcessRecordings(
  supervisor: Pick<Supervisor, 'findLive' | 'listLiveProcesses' | 'send'>,
  folderOf: (processId: string) => string,
): ProcessRecordings {
  function outputsOf({ id, options }: Process): VideoOutput[] {
    if (!options.isRecorded) return []
    return [{ id: RECORDING, lines: null, target: { kind: 'recording', folder: folderOf(id) } }]
  }

  return {
    outputsOf,
    list: () =>
      supervisor
        .listLiveProcesses()
        .flatMap(({ process: { id, accountId, options } }) =>
          options.isRecorded ? [{ processId: id, accountId }] : [],
        ),
    stop: (processId) => supervisor.send(processId, { type: 'detach', outputId: RECORDING }),
    resume(processId) {
      const live = supervisor.findLive(processId)
      for (const output of live ? outputsOf(live.process) : []) supervisor.send(processId, { type: 'attach', output })
    },
  }
}
