import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The processed video that is kept, a folder a process. */
export interface ProcessedVideoFolder {
  folderOf(processId: string): string
  /** The names of its files, the oldest first; what has no byte yet is left out. */
  filesOf(processId: string): Promise<string[]>
  /** The processes of which something is kept. */
  listIds(): Promise<string[]>
  measure(processId: string): Promise<VideoFolderSize>
  remove(processId: string): Promise<void>
  /** Removes the videos of processes that are not known any more. */
  removeUnknown(isKnown: (processId: string) => Promise<boolean>): Promise<void>
}

export interface VideoFolderSize {
  readonly processId: string
  readonly sizeBytes: number
  /** When it was last written to. */
  readonly writtenAt: number
}

export function createProcessedVideoFolder(dataDir: string): ProcessedVideoFolder {
  const root = join(dataDir, 'processed')
  const folderOf = (processId: string) => join(root, processId)
  const remove = (processId: string) => rm(folderOf(processId), { recursive: true, force: true })

  return {
    folderOf,
    async filesOf(processId) {
      const names: string[] = []
      for (const name of await namesIn(folderOf(processId))) {
        const file = await stat(join(folderOf(processId), name)).catch(() => undefined)
        if (name.endsWith('.mp4') && file && file.size > 0) names.push(name)
      }
      // They are named after the moment of their beginning.
      return names.sort((a, b) => parseInt(a) - parseInt(b))
    },
    listIds: () => namesIn(root),
    async measure(processId) {
      let sizeBytes = 0
      let writtenAt = 0
      for (const name of await namesIn(folderOf(processId))) {
        const file = await stat(join(folderOf(processId), name)).catch(() => undefined)
        sizeBytes += file?.size ?? 0
        writtenAt = Math.max(writtenAt, file?.mtimeMs ?? 0)
      }
      return { processId, sizeBytes, writtenAt }
    },
    remove,
    async removeUnknown(isKnown) {
      for (const processId of await namesIn(root)) if (!(await isKnown(processId))) await remove(processId)
    },
  }
}

/** Folders come and go while we look. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
