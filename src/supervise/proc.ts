import { readdirSync, readFileSync } from 'node:fs'

const DEFAULT_PAGE_BYTES = 4096
/** `AT_PAGESZ` of getauxval(3). */
const AT_PAGE_SIZE = 6n
const PAGE_BYTES = readPageBytes()
/** Linux counts a hundred ticks a second for programs, whatever its own clock does (time(7)). */
const TICKS_A_SECOND = 100

/** In seconds, of all its threads; NaN for a process that is gone, and where there is no `/proc`. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    // Its state and ten more stand before these two.
    const fields = statOf(pid)
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
  } catch {
    return NaN
  }
}

/** What a thread does, and has done since it was made. */
export interface ThreadActivity {
  /** `R` while it runs or waits for a core, `D` while it waits for a disk, others while it waits for something else or is stopped (proc(5)). */
  readonly state: string
  readonly ranMs: number
  /** For a core; known only once it has got one. */
  readonly waitedMs: number
}

/** Of a process's first thread; NaN for one that is gone, and where the system does not tell. */
export function firstThreadOf(pid: number | undefined): ThreadActivity {
  try {
    const [state = ''] = statOf(pid)
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')
    // A thread that exists has run: some kernels count nothing, and say 0.
    return { state, ranMs: Number(ranNs) / 1e6 || NaN, waitedMs: Number(waitedNs) / 1e6 }
  } catch {
    return { state: '', ranMs: NaN, waitedMs: NaN }
  }
}

/** Behind the name, which is in brackets and may hold anything: its state, and more (proc(5)). */
function statOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
}

/** 0 for a process that is gone, and where there is no `/proc`. */
export function residentBytesOf(pid: number): number {
  try {
    // Its second number is in pages, and it costs half of `status`, which has bytes.
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

/** The numbers of its threads, its own first; its own alone where it is gone, or there is no `/proc`. */
export function threadsOf(pid: number | undefined): number[] {
  if (pid === undefined) return []
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
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
