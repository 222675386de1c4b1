import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
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
  /** Removes the folders of processes that have no report. */
  removeUnknown(isKnown: (processId: string) => Promise<boolean>): Promise<void>
}

const FOLDER = 'reports'

export function createPictureFiles(dataDir: string): PictureFiles {
  const pathOf = (file: string) => join(dataDir, file)
  const folderOf = (processId: string) => join(dataDir, FOLDER, processId)
  const removeAllOf = (processId: string) => rm(folderOf(processId), { recursive: true, force: true })

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
    async removeUnknown(isKnown) {
      const processIds = await readdir(join(dataDir, FOLDER)).catch(() => [])
      for (const processId of processIds) if (!(await isKnown(processId))) await removeAllOf(processId)
    },
  }
}
