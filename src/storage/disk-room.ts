import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { sqlitePathOf } from './database.ts'

/** Below this the service is not ready: much of what it does would fail soon. */
const MIN_FREE_TO_WRITE_BYTES = 4 * 2 ** 20

export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Where the service writes. */
export function foldersOf(config: { readonly dataDir: string; readonly databaseUrl: string }): readonly string[] {
  const sqlitePath = sqlitePathOf(config.databaseUrl)
  return sqlitePath === undefined ? [config.dataDir] : [config.dataDir, dirname(sqlitePath)]
}

/** Throws when the disk of one of the folders is as good as full. */
export function checkDiskRoom(folders: readonly string[]): void {
  for (const folder of folders) {
    const free = freeBytesOf(folder)
    if (free < MIN_FREE_TO_WRITE_BYTES) throw new Error(`the disk of ${folder} is full: it has ${free} bytes left`)
  }
}
