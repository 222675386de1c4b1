import { readFileSync } from 'node:fs'

/** Fast enough that a decoder, which takes up to two gigabytes a second, exceeds its limit by little. */
const CHECK_EVERY_MS = 100

export interface MemoryWatch {
  stop(): void
}

/**
 * Calls `onExceeded` once when a process has more in memory than it may. It is looked at from here, since a decoder that takes
 * memory lets nothing else run in its own process. Only where there is `/proc`: elsewhere it does nothing.
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): MemoryWatch {
  const checking = setInterval(() => {
    if (residentBytes(pid) <= maxBytes) return
    clearInterval(checking)
    onExceeded()
  }, CHECK_EVERY_MS)
  checking.unref()
  return { stop: () => clearInterval(checking) }
}

/** 0 for a process that is gone. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return 1024 * Number(kilobytes ?? 0)
  } catch {
    return 0
  }
}
