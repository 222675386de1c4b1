/**
 * Calls `check` every so often, with the time. What waits to be read is read first: a process that stood still for a while (a
 * paused machine, a busy thread) would otherwise take others for silent. The time is that before, because it may stand still
 * while it reads, too. Returns how to stop.
 */
export function checkEvery(everyMs: number, now: () => number, check: (nowMs: number) => void): () => void {
  let isStopped = false
  const timer = setInterval(() => {
    const nowMs = now()
    setImmediate(() => {
      if (!isStopped) check(nowMs)
    })
  }, everyMs)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
