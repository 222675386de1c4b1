import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { type Clock } from '../core/clock.ts'
import { createRecentMaximum, measureLoopDelay } from '../observe/loop-delay.ts'
import { cpuSecondsOf, residentBytesOf } from './proc.ts'
import { type RunningChild } from './running-children.ts'

/** What a part of the service takes of the machine. */
export interface PartUsage extends Pick<RunningChild, 'name' | 'subject'> {
  /** How many cores it keeps busy; null before it is known, and where the system does not tell. */
  readonly usedCores: number | null
  readonly memoryBytes: number
  /** How late its event loop was at the worst in the last seconds. */
  readonly loopDelayMs: number
}

export interface MachineUsage {
  readonly cores: number
  /** Whoever uses them; null before it is known. */
  readonly usedCores: number | null
  readonly memoryBytes: number
  /** What programs can still have. */
  readonly availableBytes: number
}

/** Measures what the machine and each of the service's operating system processes do. */
export interface UsageMeter {
  readonly machine: MachineUsage
  /** The service itself first. */
  listParts(): readonly PartUsage[]
  start(): void
  stop(): void
}

export interface UsageMeterDeps {
  readonly listChildren: () => readonly RunningChild[]
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** What was used is the mean of so long: a moment says little. */
const MEASURE_EVERY_MS = 3_000
/** How many of these the worst delay of our own event loop is taken of. */
const RECENT_DELAYS = 4

export function createUsageMeter({ listChildren, clock }: UsageMeterDeps): UsageMeter {
  const stopping = new AbortController()
  const { signal } = stopping
  const ownDelay = createRecentMaximum(RECENT_DELAYS)
  const self: RunningChild = {
    name: 'service',
    subject: undefined,
    pid: process.pid,
    loopDelayMs: () => ownDelay.value,
  }
  const machine = createRate(clock)
  /** By its number in the operating system. */
  const rates = new Map<number, ReturnType<typeof createRate>>()

  function measure(): void {
    machine.note(busySeconds())
    const present = [self, ...listChildren()]
    for (const { pid } of present) {
      const rate = rates.get(pid) ?? createRate(clock)
      rates.set(pid, rate)
      rate.note(cpuSecondsOf(pid))
    }
    const pids = new Set(present.map(({ pid }) => pid))
    for (const pid of rates.keys()) if (!pids.has(pid)) rates.delete(pid)
  }

  async function run(): Promise<void> {
    const loopDelay = measureLoopDelay()
    while (!signal.aborted) {
      measure()
      await clock.sleep(MEASURE_EVERY_MS, signal)
      ownDelay.note(loopDelay.readMs())
    }
    loopDelay.stop()
  }

  return {
    get machine() {
      return {
        cores: availableParallelism(),
        usedCores: machine.value,
        memoryBytes: totalmem(),
        availableBytes: availableBytes(),
      }
    },
    listParts: () =>
      [self, ...listChildren()].map(({ name, subject, pid, loopDelayMs }) => ({
        name,
        subject,
        usedCores: rates.get(pid)?.value ?? null,
        memoryBytes: residentBytesOf(pid),
        loopDelayMs: loopDelayMs(),
      })),
    start: () => void run(),
    stop: () => stopping.abort(),
  }
}

/** Who waits for longer takes the service for dead. */
const MAX_LOOP_DELAY_MS = 2_000

/** Throws when a part that everybody needs did nothing for a while, and that was seconds ago at the most. */
export function checkLoopDelay(usage: Pick<UsageMeter, 'listParts'>, name: string): void {
  const delayMs = usage.listParts().find((part) => part.name === name)?.loopDelayMs ?? 0
  if (delayMs > MAX_LOOP_DELAY_MS) throw new Error(`did nothing for ${delayMs} ms`)
}

/** How much a figure that only grows has grown in a second, between the last two times that it was noted. */
function createRate({ steady }: Pick<Clock, 'steady'>) {
  let last: { readonly total: number; readonly atMs: number } | undefined
  let value: number | null = null
  return {
    get value() {
      return value
    },
    note(total: number): void {
      const atMs = steady()
      const seconds = last && (atMs - last.atMs) / 1000
      const rate = last && seconds ? (total - last.total) / seconds : NaN
      value = Number.isFinite(rate) ? Math.max(0, rate) : null
      last = { total, atMs }
    },
  }
}

/** Of all cores together. */
function busySeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0)
}

/** What is free, and what the system would give up for it. */
function availableBytes(): number {
  try {
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1]
    return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024
  } catch {
    return freemem()
  }
}
