import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { residentBytesOf } from '../../src/supervise/proc.ts'

export interface Memory {
  /** What cannot be collected; of other processes, all that they have. */
  readonly heldBytes: number
  readonly residentBytes: number
}

/** After collecting garbage, which Node only lets us do when asked for at run time, and only in this process. */
export async function measureMemory(pids: readonly number[] | undefined): Promise<Memory> {
  if (pids) {
    const residentBytes = pids.reduce((sum, pid) => sum + residentBytesOf(pid), 0)
    return { heldBytes: residentBytes, residentBytes }
  }
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  // The memory of buffers is given back beside the program, and the next collection waits for that.
  await nextTurn()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heldBytes: heapUsed + external, residentBytes: rss }
}
