import { readdirSync, readFileSync, statSync } from 'node:fs'
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

/** From now on children of this process are marked as working on this folder. Returns the mark. */
export function markChildren(dataDir: string): string {
  // Its path may be another one's elsewhere: in a container that shares our processes.
  const { dev, ino } = statSync(dataDir)
  mark = `--service=${dev}-${ino}`
  return mark
}

/** Those that are well leave by themselves. */
const LEAVE_TIMEOUT_MS = 1_000
/** How long the system may take to end them. */
const END_TIMEOUT_MS = 2_000
const LOOK_EVERY_MS = 20

/**
 * Ends children of an earlier process with this mark; answers how many. Only for who holds the lock of the folder, and before it has
 * children of its own: nobody else has any there then.
 */
export async function endOrphans(ofMark: string, clock: Pick<Clock, 'steady' | 'sleep'>): Promise<number> {
  async function untilGone(timeoutMs: number): Promise<number[]> {
    const deadline = clock.steady() + timeoutMs
    let left = findMarked(ofMark)
    while (left.length > 0 && clock.steady() < deadline) {
      await clock.sleep(LOOK_EVERY_MS)
      left = findMarked(ofMark)
    }
    return left
  }

  const orphans = await untilGone(LEAVE_TIMEOUT_MS)
  for (const pid of orphans) endAtOnce(pid)
  const left = await untilGone(END_TIMEOUT_MS)
  return orphans.length - left.length
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

/** Undefined of one that is gone, or ended and not yet fetched. */
function lastArgumentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2)
  } catch {
    return undefined
  }
}

export function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already, or somebody else's.
  }
}
