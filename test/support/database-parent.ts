import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Where databases of tests live: no test of theirs is about a disk, and making them on one takes most of the time. */
export function databaseParent(): string {
  return hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir()
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ENOUGH_BYTES
}
