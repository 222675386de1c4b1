import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TrackPicture } from '../core/track-picture.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type TrackPictureRow } from '../storage/schema.ts'

/** The pictures of tracks, a folder a process. A row is written after its file and goes before it. */
export interface PictureFiles {
  /** Whole or not at all, in the place of an earlier one. Answers its row. */
  write(processId: string, picture: TrackPicture): Promise<TrackPictureRow>
  /** None when it is gone. */
  read(file: string): Promise<Buffer | undefined>
  /** Its path on the disk; undefined when it is gone. */
  bring(file: string): Promise<string | undefined>
  remove(files: readonly string[]): Promise<void>
  removeAllOf(processId: string): Promise<void>
  /**
   * Removes what a crash left behind: the folders of processes without a report, and in folders that changed after `since` the
   * files without a row, unless they are new: a file is there before its row.
   */
  removeUnknown(known: KnownPictures, since: number): Promise<void>
}

export interface KnownPictures {
  isReported(processId: string): Promise<boolean>
  listFiles(processId: string): Promise<readonly string[]>
}

/** The folder of all of them, below the data folder. */
export const REPORTS = 'reports'
/** By the file system's clock. */
const NEW_MS = 600_000

export function createPictureFiles(dataDir: string, places: FilePlaces): PictureFiles {
  const pathOf = (file: string) => join(dataDir, file)
  const folderOf = (processId: string) => join(dataDir, REPORTS, processId)

  async function removeAllOf(processId: string): Promise<void> {
    await places.forget({ folder: `${REPORTS}/${processId}` })
    await rm(folderOf(processId), { recursive: true, force: true })
  }

  async function removeStray(processId: string, known: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(folderOf(processId)).catch(() => [])) {
      const file = `${REPORTS}/${processId}/${name}`
      if (known.has(file) || Date.now() - (await changedAt(pathOf(file))) < NEW_MS) continue
      await rm(pathOf(file), { force: true })
    }
  }

  return {
    async write(processId, { trackId, role, slot, takenAtMs, confidence, quality, jpeg }) {
      const file = `${REPORTS}/${processId}/${trackId}-${role}-${slot}.jpg`
      const path = pathOf(file)
      const partial = `${path}.partial`
      await mkdir(dirname(path), { recursive: true })
      await writeFile(partial, jpeg)
      await rename(partial, path)
      return {
        process_id: processId,
        track_id: trackId,
        role,
        slot,
        file,
        size_bytes: jpeg.byteLength,
        confidence,
        quality,
        taken_at: Math.floor(takenAtMs),
      }
    },
    read: (file) => places.read(file),
    bring: (file) => places.bring(file),
    async remove(files) {
      await places.forget(files)
      for (const file of files) await rm(pathOf(file), { force: true })
    },
    removeAllOf,
    async removeUnknown(known, since) {
      const stored = (await places.listFolders(REPORTS)).map((folder) => basename(folder))
      const onDisk = new Set(await readdir(join(dataDir, REPORTS)).catch(() => []))
      for (const processId of new Set([...onDisk, ...stored])) {
        if (!(await known.isReported(processId))) await removeAllOf(processId)
        else if (onDisk.has(processId) && (await changedAt(folderOf(processId))) > since)
          await removeStray(processId, new Set(await known.listFiles(processId)))
      }
      // Rows go before files: what a crash left between them is looked for once after each start.
      if (since > 0) return
      for (const processId of stored) {
        const files = new Set(await known.listFiles(processId))
        const inStore = [...(await places.listStored(`${REPORTS}/${processId}`)).keys()]
        await places.forget(inStore.filter((file) => !files.has(file)))
      }
    },
  }
}

/** What is gone meanwhile has just changed. */
async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now()
}
