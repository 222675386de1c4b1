/** A child process that runs now. */
export interface RunningChild {
  /** What kind of work it does. */
  readonly name: string
  /** What it works for: the id of a process, or the path of a stream; undefined for one that works for all. */
  readonly subject: string | undefined
  readonly pid: number
  /** How late its event loop was at the worst in the last seconds. */
  readonly loopDelayMs: () => number
}

/** Of the whole service, for those who measure them. */
const running = new Set<RunningChild>()

/** Returns what to call when it is gone. */
export function noteRunning(child: RunningChild): () => void {
  running.add(child)
  return () => void running.delete(child)
}

export function listRunningChildren(): readonly RunningChild[] {
  return [...running]
}
