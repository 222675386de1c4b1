import { type Clock } from '../core/clock.ts'
import { isDiskFull } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { createJobExecutor } from './job-executor.ts'
import { type JobKind } from './job-kind.ts'
import { type JobStore } from './jobs.store.ts'

export interface JobRunner {
  /** From now on jobs of these kinds are done. */
  start(kinds: readonly JobKind[]): void
  /** Look now instead of at the next poll: something was added. What is added before the start is found by it. */
  wake(kind: string): void
  /** Takes no more, and resolves when what runs has ended. */
  close(): Promise<void>
}

const POLL_MS = 1_000
/** Most of them look after what is on this machine. */
const RECURRING = { payload: {}, uniqueKey: 'recurring', isOfNode: true } as const

export interface JobRunnerDeps {
  readonly store: JobStore
  readonly clock: Clock
  readonly log: Log
}

export function createJobRunner({ store, clock, log }: JobRunnerDeps): JobRunner {
  const executor = createJobExecutor({ store, clock, log })
  const closing = new AbortController()
  /** The sleep of each kind's loop; aborted to wake it. */
  const sleeps = new Map<string, AbortController>()
  const onceAMinute = () =>
    createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, () => clock.steady(), 1, 60_000)
  const fullDiskLog = onceAMinute()
  const failureLog = onceAMinute()
  const loops: Promise<void>[] = []

  async function runKind(kind: JobKind): Promise<void> {
    const { concurrency = 1 } = kind
    const running = new Set<Promise<void>>()
    /** When its recurring job was last done, and that was written. */
    let doneAt: number | undefined
    while (!closing.signal.aborted) {
      // Made before looking, so that being woken meanwhile is not lost.
      const sleep = new AbortController()
      sleeps.set(kind.kind, sleep)
      if (isResting(kind, doneAt)) {
        await clock.sleep(POLL_MS, sleep.signal)
        continue
      }
      try {
        if (kind.everyMs !== undefined)
          await store.add({ ...RECURRING, kind: kind.kind, runAt: clock.now() }, clock.now())
        const free = concurrency - running.size
        const jobs = free > 0 ? await executor.claim(kind, free) : []
        for (const job of jobs) {
          const done = executor.run(kind, job).then((isWritten) => {
            doneAt = isWritten ? clock.now() : undefined
            running.delete(done)
            wake(kind.kind)
          })
          running.add(done)
        }
      } catch (error) {
        if (isDiskFull(error)) await onFullDisk(kind, error)
        else log.warn({ err: error, kind: kind.kind }, 'jobs could not be read; trying again')
      }
      if (!closing.signal.aborted) await clock.sleep(POLL_MS, sleep.signal)
    }
    await Promise.all(running)
  }

  /**
   * Between two runs of a recurring job, of which nobody else takes one, the database has nothing to say about it. By the clock that
   * decides when it is due: when that is set, the next look says what follows.
   */
  function isResting({ everyMs }: JobKind, doneAt: number | undefined): boolean {
    if (everyMs === undefined || doneAt === undefined) return false
    const sinceMs = clock.now() - doneAt
    return sinceMs >= 0 && sinceMs < everyMs
  }

  /** Every kind that has something to do finds it full every second. */
  async function onFullDisk(kind: JobKind, error: unknown): Promise<void> {
    const fields = { kind: kind.kind, reason: (error as Error).message }
    fullDiskLog.note(fields, 'jobs wait: the disk is full; make room on it')
    if (!kind.runsOnFullDisk) return
    try {
      await executor.runUnclaimed(kind)
    } catch (failure) {
      if (!closing.signal.aborted) failureLog.note({ err: failure, kind: kind.kind }, 'job failed on a full disk')
    }
    await clock.sleep(kind.everyMs ?? POLL_MS, closing.signal)
  }

  function wake(kind: string): void {
    sleeps.get(kind)?.abort()
  }

  return {
    start: (kinds) => void loops.push(...kinds.map(runKind)),
    wake,
    async close() {
      closing.abort()
      executor.stop()
      for (const sleep of sleeps.values()) sleep.abort()
      await Promise.all(loops)
    },
  }
}
