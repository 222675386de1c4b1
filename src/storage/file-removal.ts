import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { backoffMs } from '../core/retry.ts'
import { type Queryable } from './database.ts'
import { isFileIn } from './is-file-in.ts'
import { type JobKind, RETRY_WAITS } from './job-kind.ts'
import { type JobStore } from './jobs.store.ts'
import { inBatches } from './queries.ts'

/**
 * Removes files of features from disks. In this order, whoever does it: what the object store has (`FilePlaces.forget`), the file, its
 * row. A row without a file is found and removed later, a file without a row never; so what another node has is left to it in the
 * transaction in which the row goes.
 */
export interface FileRemoval {
  /** From this machine's disk, if they are there, and their folder with the last of its files. */
  removeHere(files: readonly string[]): Promise<void>
  /** A node that was forgotten has none any more. */
  leaveTo(nodeId: string, files: readonly string[], tx: Queryable): Promise<void>
  readonly job: JobKind
}

export interface FileRemovalDeps {
  readonly dataDir: string
  readonly jobStore: Pick<JobStore, 'add'>
  readonly clock: Clock
}

/** Whose files these are; below each is a folder for each source, process or account. */
const FOLDERS = ['clips', 'detections', 'events']
const FILE_REMOVAL = 'file-removal'
interface Removal {
  readonly files: readonly string[]
}

export function createFileRemoval({ dataDir, jobStore, clock }: FileRemovalDeps): FileRemoval {
  async function removeHere(files: readonly string[]): Promise<void> {
    const ours = files.filter((file) => FOLDERS.some((folder) => isFileIn(folder, file)))
    for (const file of ours) await rm(join(dataDir, file), { force: true })
    const folders = new Set(ours.map((file) => dirname(file)).filter((folder) => !FOLDERS.includes(folder)))
    // One that is not empty stays.
    for (const folder of folders) await rmdir(join(dataDir, folder)).catch(() => {})
  }

  return {
    removeHere,
    async leaveTo(nodeId, files, tx) {
      const node = await tx.selectFrom('node').select('id').where('id', '=', nodeId).executeTakeFirst()
      if (!node) return
      for (const some of inBatches(files)) {
        const payload: Removal = { files: some }
        await jobStore.add({ kind: FILE_REMOVAL, payload, runAt: clock.now(), nodeId }, clock.now(), tx)
      }
    },
    job: {
      kind: FILE_REMOVAL,
      // Never buried, however long its node was away: nobody else knows of the files by now.
      onFailure: ({ attempts }) => ({ do: 'retry', inMs: backoffMs(attempts - 1, RETRY_WAITS) }),
      handle: ({ payload }) => removeHere((payload as Removal).files),
    },
  }
}
