import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TrackPicture } from '../core/track-picture.ts'
import { type TrackPictureRow } from '../storage/schema.ts'

/** The pictures of tracks, a folder a process. A row is written after its file and goes before it. */
export interface PictureFiles {
  /** Whole or not at all, in the place of an earlier one. Answers its row. */
  write(processId: string, picture: TrackPicture): Promise<TrackPictureRow>
  /** None when it is gone. */
  read(file: string): Promise<Buffer | undefined>
  pathOf(file: string): string
  remove(file: string): Promise<void>
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

const FOLDER = 'reports'
/** By the file system's clock. */
const NEW_MS = 600_000

export function createPictureFiles(dataDir: string): PictureFiles {
  const pathOf = (file: string) => join(dataDir, file)
  const folderOf = (processId: string) => join(dataDir, FOLDER, processId)
  const removeAllOf = (processId: string) => rm(folderOf(processId), { recursive: true, force: true })

  async function removeStray(processId: string, known: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(folderOf(processId)).catch(() => [])) {
      const file = `${FOLDER}/${processId}/${name}`
      if (known.has(file) || Date.now() - (await changedAt(pathOf(file))) < NEW_MS) continue
      await rm(pathOf(file), { force: true })
    }
  }

  return {
    async write(processId, { trackId, role, slot, takenAtMs, confidence, quality, jpeg }) {
      const file = `${FOLDER}/${processId}/${trackId}-${role}-${slot}.jpg`
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
    read: (file) => readFile(pathOf(file)).catch(() => undefined),
    pathOf,
    remove: (file) => rm(pathOf(file), { force: true }),
    removeAllOf,
    async removeUnknown(known, since) {
      const processIds = await readdir(join(dataDir, FOLDER)).catch(() => [])
      for (const processId of processIds) {
        if (!(await known.isReported(processId))) await removeAllOf(processId)
        else if ((await changedAt(folderOf(processId))) > since)
          await removeStray(processId, new Set(await known.listFiles(processId)))
      }
    },
  }
}

/** What is gone meanwhile has just changed. */
async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now()
}
