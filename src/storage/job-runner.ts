import { randomUUID } from 'node:crypto'
import { type Backoff, backoffMs } from '../core/backoff.ts'
import { type Clock } from '../core/clock.ts'
import { isDiskFull } from '../core/disk-full.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { type Job, type JobStore } from './jobs.store.ts'

/** Does jobs of one kind. A handler may be called again for the same job after a crash, so it must bear that. */
export interface JobKind {
  readonly kind: string
  /** `signal` aborts when the runner stops, or when the lease was lost. */
  handle(job: Job, signal: AbortSignal): Promise<void>
  /** Jobs at the same time; 1 unless said otherwise. */
  readonly concurrency?: number
  /** How long a runner that died keeps its job from others. Live runners renew it. */
  readonly leaseMs?: number
  /** What to do with a job that failed; by default `retryLater`. */
  readonly onFailure?: (job: Job, ageMs: number) => Verdict
  /** With this, the kind has one job that comes again and again, whatever it answered. */
  readonly everyMs?: number
  /** Makes room on the disk, so it runs also when that is too full to write down who does it. One runner has the disk for itself. */
  readonly runsOnFullDisk?: boolean
}

export type Verdict = { readonly do: 'retry'; readonly inMs: number } | { readonly do: 'bury' }

export interface JobRunner {
  /** From now on jobs of these kinds are done. */
  start(kinds: readonly JobKind[]): void
  /** Look now instead of at the next poll: something was added. What is added before the start is found by it. */
  wake(kind: string): void
  /** Takes no more, and resolves when what runs has ended. */
  close(): Promise<void>
}

const POLL_MS = 1_000
const DAY_MS = 86_400_000
/** Between two attempts at a job. */
export const RETRY_WAITS: Backoff = { firstMs: 1_000, maxMs: 600_000 }

/** Waits double from one second to ten minutes, spread by ±20 % so that many jobs don't come back at once; after a day a job is dead. */
export function retryLater({ attempts }: Job, ageMs: number, random = Math.random()): Verdict {
  if (ageMs >= DAY_MS) return { do: 'bury' }
  const waitMs = backoffMs(attempts - 1, RETRY_WAITS)
  return { do: 'retry', inMs: Math.round(waitMs * (0.8 + 0.4 * random)) }
}

export interface JobRunnerDeps {
  readonly store: JobStore
  readonly clock: Clock
  readonly log: Log
}

export function createJobRunner({ store, clock, log }: JobRunnerDeps): JobRunner {
  const owner = randomUUID()
  let isStopping = false
  /** The sleep of each kind's loop; aborted to wake it. */
  const sleeps = new Map<string, AbortController>()
  /** What stops each job that runs. */
  const jobsUnderWay = new Set<AbortController>()
  const onceAMinute = () =>
    createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, () => clock.steady(), 1, 60_000)
  const fullDiskLog = onceAMinute()
  const failureLog = onceAMinute()
  const loops: Promise<void>[] = []

  async function runKind(kind: JobKind): Promise<void> {
    const { concurrency = 1, leaseMs = 60_000 } = kind
    const running = new Set<Promise<void>>()
    while (!isStopping) {
      // Made before looking, so that being woken meanwhile is not lost.
      const sleep = new AbortController()
      sleeps.set(kind.kind, sleep)
      try {
        if (kind.everyMs !== undefined)
          await store.add({ kind: kind.kind, payload: {}, runAt: clock.now(), uniqueKey: 'recurring' }, clock.now())
        const free = concurrency - running.size
        const jobs = free > 0 ? await store.claim(kind.kind, free, owner, clock.now(), clock.now() + leaseMs) : []
        for (const job of jobs) {
          const done = runJob(kind, job, leaseMs).finally(() => {
            running.delete(done)
            wake(kind.kind)
          })
          running.add(done)
        }
      } catch (error) {
        if (isDiskFull(error)) await onFullDisk(kind, error)
        else log.warn({ err: error, kind: kind.kind }, 'jobs could not be read; trying again')
      }
      if (!isStopping) await clock.sleep(POLL_MS, sleep.signal)
    }
    await Promise.all(running)
  }

  /** Every kind that has something to do finds it full every second. */
  async function onFullDisk(kind: JobKind, error: unknown): Promise<void> {
    const fields = { kind: kind.kind, reason: (error as Error).message }
    fullDiskLog.note(fields, 'jobs wait: the disk is full; make room on it, or lower AERIE_DISK_BUDGET')
    if (!kind.runsOnFullDisk) return
    const stop = new AbortController()
    if (isStopping) stop.abort()
    jobsUnderWay.add(stop)
    try {
      stop.signal.throwIfAborted()
      await kind.handle(
        { id: kind.kind, kind: kind.kind, payload: {}, attempts: 1, createdAt: clock.now() },
        stop.signal,
      )
    } catch (failure) {
      if (!isStopping) failureLog.note({ err: failure, kind: kind.kind }, 'job failed on a full disk')
    }
    if (!stop.signal.aborted) await clock.sleep(kind.everyMs ?? POLL_MS, stop.signal)
    jobsUnderWay.delete(stop)
  }

  function wake(kind: string): void {
    sleeps.get(kind)?.abort()
  }

  async function runJob(kind: JobKind, job: Job, leaseMs: number): Promise<void> {
    const stop = new AbortController()
    const ended = new AbortController()
    if (isStopping) stop.abort()
    jobsUnderWay.add(stop)
    const renewing = renewLease(job, leaseMs, ended.signal, stop)
    try {
      stop.signal.throwIfAborted()
      await kind.handle(job, stop.signal)
      if (kind.everyMs === undefined) await store.complete(job.id, owner)
      else await store.retry(job.id, owner, clock.now() + kind.everyMs, '')
    } catch (error) {
      await settleFailure(kind, job, error)
    } finally {
      jobsUnderWay.delete(stop)
      ended.abort()
      await renewing
    }
  }

  async function settleFailure(kind: JobKind, job: Job, error: unknown): Promise<void> {
    try {
      // What ended because we stop did not fail: it is due again at the next start.
      if (isStopping) return await store.retry(job.id, owner, clock.now(), '')
      const verdict: Verdict =
        kind.everyMs === undefined
          ? (kind.onFailure ?? retryLater)(job, clock.now() - job.createdAt)
          : { do: 'retry', inMs: kind.everyMs }
      log.warn({ err: error, kind: kind.kind, job: job.id, attempts: job.attempts, verdict }, 'job failed')
      if (verdict.do === 'retry') await store.retry(job.id, owner, clock.now() + verdict.inMs, toStoredText(error))
      else await store.bury(job.id, owner, toStoredText(error))
    } catch (settleError) {
      // The lease will run out, and the job comes back by itself.
      log.warn({ err: settleError, job: job.id }, 'a failed job could not be put back')
    }
  }

  /** A job whose lease went to somebody else is stopped: two must not do the same. */
  async function renewLease(job: Job, leaseMs: number, ended: AbortSignal, stop: AbortController): Promise<void> {
    for (;;) {
      await clock.sleep(leaseMs / 3, ended)
      if (ended.aborted) return
      try {
        if (!(await store.extendLease(job.id, owner, clock.now() + leaseMs))) return stop.abort()
      } catch (error) {
        log.warn({ err: error, job: job.id }, 'lease not renewed')
      }
    }
  }

  return {
    start: (kinds) => void loops.push(...kinds.map(runKind)),
    wake,
    async close() {
      isStopping = true
      for (const controller of [...sleeps.values(), ...jobsUnderWay]) controller.abort()
      await Promise.all(loops)
    },
  }
}

/** Errors may quote URLs and answers of others: no secrets, no NUL (PostgreSQL refuses it), and not too long. */
function toStoredText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return maskSecrets(text).replaceAll('\0', '').slice(0, 1000)
}
