import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { type Clock } from '../core/clock.ts'

/**
 * A child leaves when its parent is gone, but one that stands still does not notice, and keeps its ports. So every child carries the
 * mark of its service on its command line, and the next service on the same data folder ends what is left of the last.
 */
let mark: string | undefined

/** What children are started with. */
export function childArguments(): readonly string[] {
  return mark === undefined ? [] : [mark]
}

/** How long the system may take to end them. */
const END_TIMEOUT_MS = 2_000
const LOOK_EVERY_MS = 20

/**
 * Marks the children of this process from now on, and ends those of an earlier one with the same mark; answers how many. Only for who
 * holds the lock of the folder: nobody else has children there then.
 */
export async function endOrphans(dataDir: string, clock: Pick<Clock, 'steady' | 'sleep'>): Promise<number> {
  mark = `--service=${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)}`
  const orphans = findMarked(mark)
  for (const pid of orphans) endAtOnce(pid)
  const deadline = clock.steady() + END_TIMEOUT_MS
  while (findMarked(mark).length > 0 && clock.steady() < deadline) await clock.sleep(LOOK_EVERY_MS)
  return orphans.length
}

/** None where there is no `/proc`. */
function findMarked(wanted: string): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && lastArgumentOf(name) === wanted)
      .map(Number)
  } catch {
    return []
  }
}

/** Empty of one that is gone, or ended and not yet fetched. */
function lastArgumentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2)
  } catch {
    return undefined
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already, or somebody else's.
  }
}
