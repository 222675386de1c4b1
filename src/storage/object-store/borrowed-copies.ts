import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock } from '../../core/clock.ts'
import { type Turns } from '../../core/turns.ts'
import { type HeldBytes } from '../kept-files.ts'
import { isFileInUse, type StorableKind } from './storable-kind.ts'
import { type StoredFileRecord } from './stored-files.store.ts'

/**
 * Files of other nodes that were fetched here to be used. Their rows say where those nodes have them, and nothing of us: so they are in a
 * folder of their own, which is emptied at each start.
 */
export interface BorrowedCopies {
  /** Removes those of an earlier service. */
  restore(): Promise<void>
  /** Where one is to be written; it is there when it is added. */
  makeRoomFor(file: string): Promise<string>
  add(copy: StoredFileRecord): void
  /** Its path; it stays for a while from now on. */
  find(file: string): string | undefined
  heldBytes(): HeldBytes
  /** Removes those that nobody uses, as many bytes as are wanted or there are; answers how many. */
  drop(bytes: number): Promise<number>
  /** Removes those that have been there for as long as they stay. */
  dropOld(signal: AbortSignal): Promise<void>
}

export interface BorrowedCopiesDeps {
  readonly dataDir: string
  /** May grow. */
  readonly kinds: readonly StorableKind[]
  /** By file: one that is being fetched is not removed, nor waited for, since that may wait for the room which is made here. */
  readonly turns: Turns
  readonly clock: Pick<Clock, 'steady'>
}

const FOLDER = 'borrowed'
const STAYS_MS = 600_000

export function createBorrowedCopies({ dataDir, kinds, turns, clock }: BorrowedCopiesDeps): BorrowedCopies {
  /** By file, with when it may go. */
  const copies = new Map<string, { readonly copy: StoredFileRecord; readonly untilMs: number }>()
  const pathOf = (file: string) => join(dataDir, FOLDER, file)

  function keep(copy: StoredFileRecord): void {
    copies.set(copy.file, { copy, untilMs: clock.steady() + STAYS_MS })
  }

  async function remove(file: string): Promise<number> {
    if (turns.keys().includes(file)) return 0
    return turns.take(file, async () => {
      const found = copies.get(file)
      if (!found || (await isFileInUse(kinds, found.copy))) return 0
      // Whoever looks for it from now on does not find it.
      copies.delete(file)
      await rm(pathOf(file), { force: true })
      return found.copy.sizeBytes
    })
  }

  return {
    restore: () => rm(join(dataDir, FOLDER), { recursive: true, force: true }),
    async makeRoomFor(file) {
      await mkdir(dirname(pathOf(file)), { recursive: true, mode: 0o700 })
      return pathOf(file)
    },
    add: keep,
    find(file) {
      const found = copies.get(file)
      if (found) keep(found.copy)
      return found && pathOf(file)
    },
    heldBytes() {
      const held = new Map<string, number>()
      for (const { copy } of copies.values()) held.set(copy.accountId, (held.get(copy.accountId) ?? 0) + copy.sizeBytes)
      return held
    },
    async drop(bytes) {
      let freed = 0
      for (const file of [...copies.keys()]) if (freed < bytes) freed += await remove(file)
      return freed
    },
    async dropOld(signal) {
      for (const [file, { untilMs }] of [...copies])
        if (!signal.aborted && untilMs <= clock.steady()) await remove(file)
    },
  }
}
