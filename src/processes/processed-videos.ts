import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The processed video that is kept, a folder a process. */
export interface ProcessedVideos {
  folderOf(processId: string): string
  totalBytes(): Promise<number>
  remove(processId: string): Promise<void>
  /** Removes the videos of processes that are not known any more. */
  removeUnknown(isKnown: (processId: string) => Promise<boolean>): Promise<void>
}

export function createProcessedVideos(dataDir: string): ProcessedVideos {
  const root = join(dataDir, 'processed')
  const folderOf = (processId: string) => join(root, processId)
  const remove = (processId: string) => rm(folderOf(processId), { recursive: true, force: true })

  return {
    folderOf,
    async totalBytes() {
      let bytes = 0
      for (const processId of await namesIn(root))
        for (const file of await namesIn(folderOf(processId))) bytes += await sizeOf(join(folderOf(processId), file))
      return bytes
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

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
