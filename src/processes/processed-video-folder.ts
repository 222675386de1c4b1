import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type KeptFile } from '../core/kept-file.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'

/** The first part of its files' names below the data folder. */
export const PROCESSED = 'processed'

/** The processed video that is kept, a folder a process: on the disk, in the object store, or both. */
export interface ProcessedVideoFolder {
  folderOf(processId: string): string
  /** The names of its files, the oldest first, on whichever node; what has no byte yet is left out. */
  filesOf(processId: string): Promise<string[]>
  /** One of them. */
  keptFile(processId: string, name: string): KeptFile
  /** The node that alone has a file of a process that has ended; undefined where that is not noted. */
  nodeOf(processId: string, name: string): Promise<string | undefined>
  /** The processes of which something is on the disk. */
  listIds(): Promise<string[]>
  /** On the disk. */
  measure(processId: string): Promise<VideoFolderSize>
  /** Wherever it is. */
  heldBytes(processId: string): Promise<number>
  /** What has not come to the object store, named as that knows it. */
  listUnstored(processId: string): Promise<UnstoredVideo[]>
  /** What the object store has stays there. */
  removeUnstored(processId: string): Promise<void>
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

export interface UnstoredVideo {
  readonly file: string
  readonly sizeBytes: number
}

export function createProcessedVideoFolder(dataDir: string, places: FilePlaces): ProcessedVideoFolder {
  const root = join(dataDir, PROCESSED)
  const folderOf = (processId: string) => join(root, processId)
  const storedIn = (processId: string) => places.listStored(`${PROCESSED}/${processId}`)

  async function listUnstored(processId: string): Promise<UnstoredVideo[]> {
    const stored = await storedIn(processId)
    const unstored = []
    for (const name of await namesIn(folderOf(processId))) {
      const file = `${PROCESSED}/${processId}/${name}`
      const found = stored.has(file) ? undefined : await stat(join(dataDir, file)).catch(() => undefined)
      if (name.endsWith('.mp4') && found && found.size > 0) unstored.push({ file, sizeBytes: found.size })
    }
    return unstored
  }

  async function remove(processId: string): Promise<void> {
    await places.forget({ folder: `${PROCESSED}/${processId}` })
    await rm(folderOf(processId), { recursive: true, force: true })
  }

  return {
    folderOf,
    async filesOf(processId) {
      const elsewhere = await places.listElsewhere(`${PROCESSED}/${processId}`)
      const here = (await listUnstored(processId)).map(({ file }) => file)
      const files = [...(await storedIn(processId)).keys(), ...here, ...elsewhere]
      // They are named after the moment of their beginning.
      return files.map((file) => basename(file)).sort((a, b) => parseInt(a) - parseInt(b))
    },
    keptFile: (processId, name) => places.kept(`${PROCESSED}/${processId}/${name}`),
    nodeOf: (processId, name) => places.nodeOf(`${PROCESSED}/${processId}/${name}`),
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
    async heldBytes(processId) {
      const stored = [...(await storedIn(processId)).values()]
      const unstored = (await listUnstored(processId)).map(({ sizeBytes }) => sizeBytes)
      return [...stored, ...unstored].reduce((sum, bytes) => sum + bytes, 0)
    },
    listUnstored,
    async removeUnstored(processId) {
      for (const { file } of await listUnstored(processId)) {
        await places.forget([file])
        await rm(join(dataDir, file), { force: true })
      }
      // Where nothing of it is left.
      await rmdir(folderOf(processId)).catch(() => {})
    },
    remove,
    async removeUnknown(isKnown) {
      const stored = (await places.listFolders(PROCESSED)).map((folder) => basename(folder))
      for (const processId of new Set([...(await namesIn(root)), ...stored]))
        if (!(await isKnown(processId))) await remove(processId)
    },
  }
}

/** Folders come and go while we look. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
