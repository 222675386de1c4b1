import { type Clock } from '../core/clock.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type FileRemoval } from '../storage/file-removal.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type HeldBytes, type KeptFiles } from '../storage/kept-files.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { removeInParts } from '../storage/remove-in-parts.ts'
import { type Clip, clipFile, clipFiles } from './clip.ts'
import { type ClipStore } from './clips.store.ts'

export interface ClipKeeperDeps {
  readonly store: Pick<
    ClipStore,
    'remove' | 'listOfAccount' | 'listUnused' | 'listOldestOfLinks' | 'heldBytes' | 'waitingBytesOfLinks'
  >
  readonly node: OwnNode | null
  readonly places: Pick<FilePlaces, 'forget'>
  readonly fileRemoval: Pick<FileRemoval, 'removeHere' | 'leaveTo'>
  readonly clock: Clock
  readonly log: Log
}

/** Lets go of clips: of users' when they say so, of links' when nobody has opened them for a day. */
export interface ClipKeeper {
  /** As the disk's budget counts and removes them: those of users stay. */
  readonly kept: readonly KeptFiles[]
  readonly job: JobKind
  remove(clip: Clip): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

/** That of a link is made again when somebody opens it. */
const UNUSED_MS = 24 * 3_600_000
const EVERY_MS = 600_000

export function createClipKeeper(deps: ClipKeeperDeps): ClipKeeper {
  const { store, node, places, fileRemoval, clock, log } = deps

  /** The files first: what has no row is found by nobody. Those of another node go by a job of that one. */
  async function remove(clip: Clip): Promise<void> {
    // One that is being cut may have its first part already.
    const files = clip.parts.length > 0 ? clipFiles(clip) : [clipFile(clip, 1)]
    await places.forget(files)
    await fileRemoval.removeHere(files)
    await store.remove(clip.id, async (tx) => {
      if (node && clip.nodeId !== null && clip.nodeId !== node.id) await fileRemoval.leaveTo(clip.nodeId, files, tx)
    })
  }

  async function removeEach(clips: readonly Clip[]): Promise<void> {
    for (const clip of clips) await remove(clip)
  }

  async function removeUnused(signal: AbortSignal): Promise<void> {
    const list = (limit: number) => store.listUnused(clock.now() - UNUSED_MS, limit)
    const removed = await removeInParts({ list, remove: removeEach, signal })
    if (removed > 0) log.info({ clips: removed }, 'clips of links that nobody opens any more removed')
  }

  return {
    kept: [
      { heldBytes: () => store.heldBytes('user') },
      {
        heldBytes: () => store.heldBytes('link'),
        removal: {
          writingBytes: (): Promise<HeldBytes> => store.waitingBytesOfLinks(),
          async listOldest(accountId, limit) {
            const oldest = await store.listOldestOfLinks(accountId, limit)
            return oldest.map((clip) => ({
              writtenAt: clip.usedAt ?? clip.createdAt,
              sizeBytes: clip.sizeBytes,
              remove: () => remove(clip),
            }))
          },
        },
      },
    ],
    job: { kind: 'clip-retention', everyMs: EVERY_MS, handle: (_job, signal) => removeUnused(signal) },
    remove,
    async removeAllOf(accountId) {
      await removeInParts({ list: (limit) => store.listOfAccount(accountId, limit), remove: removeEach })
    },
  }
}
