import { residentBytesOf } from './proc.ts'

/** A decoder takes up to two gigabytes a second, so it exceeds its limit by half of one; more often would cost where many run. */
const CHECK_EVERY_MS = 250

export interface MemoryWatch {
  stop(): void
}

/**
 * Calls `onExceeded` once when a process has more in memory than it may. It is looked at from here, since a decoder that takes
 * memory lets nothing else run in its own process. Only where there is `/proc`: elsewhere it does nothing.
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): MemoryWatch {
  const checking = setInterval(() => {
    if (residentBytesOf(pid) <= maxBytes) return
    clearInterval(checking)
    onExceeded()
  }, CHECK_EVERY_MS)
  checking.unref()
  return { stop: () => clearInterval(checking) }
}
