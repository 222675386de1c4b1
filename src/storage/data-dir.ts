import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface DataDirLock {
  release(): void
}

/**
 * Makes the data folder, readable by its owner only, and takes it: two services on one folder would spoil each
 * other's files. A lock whose holder is gone (`kill -9`, power loss) is taken over.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'aerie.lock')
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const lock = openSync(file, 'wx', 0o600)
      writeSync(lock, holderOf(process.pid))
      closeSync(lock)
      return { release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isHeld(file))
      throw new Error(`Another Aerie is running on ${dataDir}; stop it first, or choose another AERIE_DATA_DIR.`)
    rmSync(file, { force: true })
  }
  throw new Error(`The lock ${file} could not be taken.`)
}

/** Whether a service runs on this folder now. */
export function isDataDirInUse(dataDir: string): boolean {
  return isHeld(join(dataDir, 'aerie.lock'))
}

function isHeld(file: string): boolean {
  let holder: string
  try {
    holder = readFileSync(file, 'utf8')
  } catch {
    return false
  }
  const pid = Number(holder.split(' ')[0])
  return pid > 0 && holderOf(pid) === holder
}

/** A process, told apart from a later one with the same id by when it was started (proc(5), field 22 of `stat`). */
function holderOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may hold spaces.
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${pid} ${startTime}`
  } catch {
    return `${pid} gone`
  }
}
