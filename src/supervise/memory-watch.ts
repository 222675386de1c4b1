import { readFileSync } from 'node:fs'

/** A decoder takes up to two gigabytes a second, so it exceeds its limit by half of one; more often would cost where many run. */
const CHECK_EVERY_MS = 250
const DEFAULT_PAGE_BYTES = 4096
/** `AT_PAGESZ` of getauxval(3). */
const AT_PAGE_SIZE = 6n
const PAGE_BYTES = readPageBytes()

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
    // Its second number is in pages, and it costs half of `status`, which has bytes.
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

/** 16 or 64 KB on some ARM machines; it is among the pairs of numbers that the kernel gives to every process. */
function readPageBytes(): number {
  try {
    const numbers = new BigUint64Array(new Uint8Array(readFileSync('/proc/self/auxv')).buffer)
    const index = numbers.findIndex((number, at) => at % 2 === 0 && number === AT_PAGE_SIZE)
    return index < 0 ? DEFAULT_PAGE_BYTES : Number(numbers[index + 1])
  } catch {
    return DEFAULT_PAGE_BYTES
  }
}
