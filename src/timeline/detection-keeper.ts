import { type Clock } from '../core/clock.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type FileRemoval } from '../storage/file-removal.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type KeptFiles } from '../storage/kept-files.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { removeInParts } from '../storage/remove-in-parts.ts'
import { type DetectionFileStore, type RemovableDetectionFile } from './detection-files.store.ts'
import { DETECTIONS } from './look-files.ts'
import { type ProcessStateStore } from './process-states.store.ts'

export interface DetectionKeeperDeps {
  readonly store: Pick<
    DetectionFileStore,
    'listExpired' | 'listOfAccount' | 'listOldest' | 'heldBytes' | 'writingBytes' | 'remove'
  >
  readonly states: Pick<ProcessStateStore, 'removeExpired' | 'removeAllOf'>
  readonly places: Pick<FilePlaces, 'forget' | 'withoutStored'>
  readonly fileRemoval: Pick<FileRemoval, 'removeHere' | 'leaveTo'>
  readonly node: OwnNode | null
  readonly clock: Clock
  readonly log: Log
}

/** Lets go of what was seen: of what is older than its account keeps anything, and of the oldest where there is no room. */
export interface DetectionKeeper {
  /** As the disk's budget counts and removes it. */
  readonly kept: KeptFiles
  readonly job: JobKind
  removeAllOf(accountId: string): Promise<void>
}

const HOUR_MS = 3_600_000
/** It cannot be made again, unlike what was recorded of nothing. */
const IMPORTANCE = 1

export function createDetectionKeeper(deps: DetectionKeeperDeps): DetectionKeeper {
  const { store, states, places, fileRemoval, node, clock, log } = deps

  /** The files first: what has no row is found by nobody. Those of another node go by a job of that one, which comes with the removal. */
  async function remove(some: readonly RemovableDetectionFile[]): Promise<void> {
    if (some.length === 0) return
    const files = some.map(({ file }) => file)
    await places.forget(files)
    await fileRemoval.removeHere(files)
    const elsewhere = new Map<string, string[]>()
    for (const { node_id: nodeId, file } of some)
      if (nodeId !== null && nodeId !== node?.id) elsewhere.set(nodeId, [...(elsewhere.get(nodeId) ?? []), file])
    await store.remove(some, async (tx) => {
      for (const [nodeId, left] of elsewhere) await fileRemoval.leaveTo(nodeId, left, tx)
    })
  }

  return {
    kept: {
      isSlowToCount: true,
      heldBytes: async () => places.withoutStored(DETECTIONS, await store.heldBytes()),
      removal: {
        writingBytes: () => store.writingBytes(),
        async listOldest(accountId, limit) {
          const oldest = await store.listOldest(accountId, limit)
          return oldest.map((file) => ({
            importance: IMPORTANCE,
            writtenAt: file.started_at,
            sizeBytes: file.size_bytes,
            remove: () => remove([file]),
          }))
        },
      },
    },
    job: {
      kind: 'detection-retention',
      everyMs: HOUR_MS,
      async handle(_job, signal) {
        const list = (limit: number) => store.listExpired(clock.now(), limit)
        const removed = await removeInParts({ list, remove, signal })
        if (removed > 0) log.info({ files: removed }, 'detections past their retention removed')
        await states.removeExpired(clock.now())
      },
    },
    async removeAllOf(accountId) {
      await removeInParts({ list: (limit) => store.listOfAccount(accountId, limit), remove })
      await states.removeAllOf(accountId)
    },
  }
}
