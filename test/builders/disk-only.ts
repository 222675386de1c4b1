import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FilePlaces } from '../../src/storage/object-store/file-places.ts'

/** The places of files where there is no object store: whatever there is is on the disk. */
export function diskOnly(dataDir: string): FilePlaces {
  const pathOf = (file: string) => join(dataDir, file)
  return {
    add() {},
    kept: (file) => ({ path: pathOf(file), inStore: async () => undefined }),
    read: (file) => readFile(pathOf(file)).catch(() => undefined),
    bring: async (file) => (existsSync(pathOf(file)) ? pathOf(file) : undefined),
    async onWritten() {},
    async forget() {},
    listStored: async () => new Map(),
    listElsewhere: async () => [],
    nodeOf: async () => undefined,
    listFiles: async () => [],
    listFolders: async () => [],
    withoutStored: async (_kind, held) => held,
    withoutCopies: async (_kind, held) => held,
  }
}
