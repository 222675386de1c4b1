import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock } from '../../core/clock.ts'
import { type StorableKind } from './storable-kind.ts'
import { type StoredFileStore } from './stored-files.store.ts'

export interface SettledFilesDeps {
  readonly dataDir: string
  /** May grow. */
  readonly kinds: readonly StorableKind[]
  /** All where there is an object store. */
  readonly isNoted?: (kind: StorableKind) => boolean
  readonly store: Pick<StoredFileStore, 'insert'>
  readonly clock: Clock
}

/** Notes the files that are to be put into the store. */
export type NoteSettledFiles = (signal: AbortSignal) => Promise<void>

const PASS_EVERY_MS = 5_000
/** Everything is passed after a start and then so often: nothing is missed for good, whatever happened to a clock or a database. */
const FULL_PASS_EVERY_MS = 3_600_000
/** Of two passes, so that nothing falls between them. */
const OVERLAP_MS = 60_000

export function createSettledFiles({
  dataDir,
  kinds,
  isNoted = () => true,
  store,
  clock,
}: SettledFilesDeps): NoteSettledFiles {
  let passAt = -Infinity
  /** The same pass, by the wall clock, which rows are dated by. */
  let settledUntil = 0
  let fullPassAt = -Infinity

  async function note(kind: StorableKind, since: number, signal: AbortSignal): Promise<void> {
    for await (const settled of kind.listSettled(since)) {
      if (signal.aborted) return
      const files = []
      for (const one of settled) {
        const found = await stat(join(dataDir, one.file)).catch(() => undefined)
        if (found && found.size > 0) files.push({ ...one, kind: kind.kind, sizeBytes: found.size })
      }
      await store.insert(files, clock.now())
    }
  }

  return async (signal) => {
    const [now, wallNow] = [clock.steady(), clock.now()]
    if (now - passAt < PASS_EVERY_MS) return
    const isAll = now - fullPassAt >= FULL_PASS_EVERY_MS
    for (const kind of kinds.filter(isNoted)) await note(kind, isAll ? 0 : settledUntil - OVERLAP_MS, signal)
    if (signal.aborted) return
    passAt = now
    settledUntil = wallNow
    if (isAll) fullPassAt = now
  }
}
