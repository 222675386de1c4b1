import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^aerie-hls-(\d+)-[A-Za-z0-9]+$/

/**
 * A folder for sockets while this process lives. Short, because a socket's address may have 107 characters, so not below the data
 * folder; of our own, so that nobody else gets in; and with our number in its name, by which `removeDeadRunFolders` knows it.
 */
export function createRunFolder(parent = tmpdir()): string {
  return mkdtempSync(join(parent, `aerie-hls-${process.pid}-`))
}

/** Whoever was killed could not remove its own. */
export function removeDeadRunFolders(parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1])
    const folder = join(parent, name)
    if (pid > 0 && !isAlive(pid) && isOurs(folder)) rmSync(folder, { recursive: true, force: true })
  }
}

/** In a folder where everybody may write, such a name may also be somebody else's. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
