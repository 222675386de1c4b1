import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock } from '../../core/clock.ts'
import { type Turns } from '../../core/turns.ts'
import { type KeptFiles } from '../kept-files.ts'
import { type BorrowedCopies } from './borrowed-copies.ts'
import { isFileInUse, type StorableKind } from './storable-kind.ts'
import { type StoredBytes, type StoredFileRecord, type StoredFileStore } from './stored-files.store.ts'

export interface LocalCopiesDeps {
  readonly dataDir: string
  /** May grow. */
  readonly kinds: readonly StorableKind[]
  readonly keepLocalMs: number
  readonly store: Pick<StoredFileStore, 'find' | 'listCopies' | 'setPlace'>
  readonly countBytes: () => Promise<ReadonlyMap<string, StoredBytes>>
  readonly borrowed: Pick<BorrowedCopies, 'heldBytes' | 'drop' | 'dropOld'>
  /** By file: one that is being fetched is not removed, nor waited for, since that may wait for the room which is made here. */
  readonly turns: Turns
  readonly clock: Clock
}

/** What is on the disk and in the store: it can leave the disk, and nothing is lost. */
export interface LocalCopies {
  /** As the disk's budget counts them. They go before everything else there, whoever's they are: `drop`. */
  readonly kept: KeptFiles
  /** Removes the oldest of them, as many bytes as are wanted or there are. */
  drop(bytes: number): Promise<void>
  /** Removes those that have been there for as long as they are kept. */
  dropOld(signal: AbortSignal): Promise<void>
}

const BATCH = 500

export function createLocalCopies(deps: LocalCopiesDeps): LocalCopies {
  const { dataDir, kinds, keepLocalMs, store, countBytes, borrowed, turns, clock } = deps

  /** Answers how many bytes that made free. */
  async function remove(listed: StoredFileRecord): Promise<number> {
    if (turns.keys().includes(listed.file)) return 0
    return turns.take(listed.file, async () => {
      const found = await store.find(listed.file)
      const isSame = found?.place === 'both' && found.key === listed.key && found.localAt === listed.localAt
      if (!isSame || (await isFileInUse(kinds, found))) return 0
      // The file first: a row that is too old is put right by the next look; a file that no row knows of stays for ever.
      await rm(join(dataDir, found.file), { force: true })
      await store.setPlace(found, 'store')
      return found.sizeBytes
    })
  }

  return {
    kept: {
      isSlowToCount: true,
      async heldBytes() {
        const held = new Map(borrowed.heldBytes())
        for (const { copies } of (await countBytes()).values())
          for (const [accountId, bytes] of copies) held.set(accountId, (held.get(accountId) ?? 0) + bytes)
        return held
      },
      // Nobody has to give them up for others to have room.
      removal: { writingBytes: async () => new Map(), listOldest: async () => [] },
    },
    async drop(bytes) {
      let left = bytes - (await borrowed.drop(bytes))
      while (left > 0) {
        let freed = 0
        for (const copy of await store.listCopies(Number.MAX_SAFE_INTEGER, BATCH))
          if (left - freed > 0) freed += await remove(copy)
        // There are none, or all are in use.
        if (freed === 0) return
        left -= freed
      }
    },
    async dropOld(signal) {
      await borrowed.dropOld(signal)
      for (;;) {
        const copies = await store.listCopies(clock.now() - keepLocalMs, BATCH)
        let freed = 0
        for (const copy of copies) if (!signal.aborted) freed += await remove(copy)
        if (freed === 0 || copies.length < BATCH) return
      }
    },
  }
}
