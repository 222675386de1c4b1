import { type Clock } from '../core/clock.ts'
import { createLastSeenTracker, type LastSeen } from '../core/last-seen.ts'
import { type Log } from '../observe/log.ts'
import { createLatestWrite } from './latest-write.ts'
import { type Process } from './process.ts'

/** A live process as it is at this moment, and as it is written to the database. */
export interface ProcessRecord {
  readonly current: Process
  /** Its last picture; null before the first. */
  readonly lastFrame: LastSeen | null
  /** Pictures come, or come again; the figures that date the last one follow. */
  notePicture(): void
  /** Reports another state, and writes. */
  change(changes: Partial<Process>): void
  /** Figures that change all the time: they are written with the next change. */
  setStats(stats: Process['stats']): void
  /** Writes ids ahead of their use, so that none is given twice even if we are killed. */
  reserveTrackIds(highestUsed: number): void
  /** Resolves when every change is written, or when that takes too long to wait for. */
  flush(): Promise<void>
  /** Why the last change is not written yet; undefined when nothing went wrong. */
  readonly writeFailure: unknown
  /** It goes on elsewhere: nothing that comes from now on is written here. */
  seal(): void
}

export interface ProcessRecordDeps {
  readonly store: { update(process: Process): Promise<void> }
  readonly meter: { readonly ms: number }
  onState(process: Process, previous: Process): void
  readonly clock: Clock
  readonly log: Log
}

const RESERVED_TRACK_IDS = 100

export function createProcessRecord(initial: Process, deps: ProcessRecordDeps): ProcessRecord {
  const { store, meter, clock, log } = deps
  const frames = createLastSeenTracker(clock, initial.stats?.lastFrameAtMs)
  let process = initial
  let isSealed = false
  const write = createLatestWrite(
    () => store.update(process),
    clock,
    (error) => log.error({ err: error, process_uuid: initial.id }, 'the state of a process could not be written'),
  )

  function change(changes: Partial<Process>): void {
    if (isSealed) return
    const previous = process
    process = { ...process, ...changes, consumedMs: meter.ms }
    write.touch()
    if (process.state !== previous.state) deps.onState(process, previous)
  }

  return {
    get current() {
      return { ...process, consumedMs: meter.ms }
    },
    get lastFrame() {
      return frames.last
    },
    notePicture: () => frames.note(),
    change,
    setStats(stats) {
      process = { ...process, stats }
      if (stats?.lastFrameAtMs !== undefined) frames.note(stats.lastFrameAtMs)
    },
    reserveTrackIds(highestUsed) {
      if (highestUsed > process.lastTrackId - RESERVED_TRACK_IDS / 2)
        change({ lastTrackId: highestUsed + RESERVED_TRACK_IDS })
    },
    flush: () => write.flush(),
    get writeFailure() {
      return write.failure
    },
    seal: () => void (isSealed = true),
  }
}
