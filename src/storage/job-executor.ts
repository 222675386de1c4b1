import { randomUUID } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type Log } from '../observe/log.ts'
import { type JobKind, MAX_RETRY_WAIT_MS, retryLater, type Verdict } from './job-kind.ts'
import { type Job, type JobStore } from './jobs.store.ts'

export interface JobExecutorDeps {
  readonly store: Pick<JobStore, 'claim' | 'complete' | 'retry' | 'bury' | 'extendLease'>
  readonly clock: Clock
  readonly log: Log
}

/** Does single jobs, and keeps their leases meanwhile. */
export type JobExecutor = ReturnType<typeof createJobExecutor>

const DEFAULT_LEASE_MS = 60_000

export function createJobExecutor({ store, clock, log }: JobExecutorDeps) {
  const owner = randomUUID()
  /** What stops each job that runs. */
  const stops = new Set<AbortController>()
  let isStopping = false

  async function handle(kind: JobKind, job: Job, stop: AbortController): Promise<void> {
    if (isStopping) stop.abort()
    stops.add(stop)
    try {
      stop.signal.throwIfAborted()
      await kind.handle(job, stop.signal)
    } finally {
      stops.delete(stop)
    }
  }

  /** False when it could not be written. */
  async function settleFailure(kind: JobKind, job: Job, error: unknown): Promise<boolean> {
    try {
      // What ended because we stop did not fail: it is due again at the next start.
      if (isStopping) {
        await store.retry(job.id, owner, clock.now(), '')
        return true
      }
      const verdict: Verdict =
        kind.everyMs === undefined
          ? (kind.onFailure ?? retryLater)(job, clock.now() - job.createdAt)
          : { do: 'retry', inMs: kind.everyMs }
      log.warn({ err: error, kind: kind.kind, job: job.id, attempts: job.attempts, verdict }, 'job failed')
      if (verdict.do === 'retry') await store.retry(job.id, owner, clock.now() + verdict.inMs, toStoredText(error))
      else await store.bury(job.id, owner, clock.now(), toStoredText(error))
      return true
    } catch (settleError) {
      // The lease will run out, and the job comes back by itself.
      log.warn({ err: settleError, job: job.id }, 'a failed job could not be put back')
      return false
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
    /** Takes the jobs that are due; they are nobody else's while their leases last. */
    claim: (kind: JobKind, count: number): Promise<Job[]> => {
      const nowMs = clock.now()
      const leaseUntil = nowMs + (kind.leaseMs ?? DEFAULT_LEASE_MS)
      return store.claim(kind.kind, count, owner, nowMs, leaseUntil, kind.everyMs ?? MAX_RETRY_WAIT_MS)
    },

    /** Does a claimed job, and writes what became of it; false when that could not be written. */
    async run(kind: JobKind, job: Job): Promise<boolean> {
      const [stop, ended] = [new AbortController(), new AbortController()]
      const renewing = renewLease(job, kind.leaseMs ?? DEFAULT_LEASE_MS, ended.signal, stop)
      try {
        await handle(kind, job, stop)
        if (kind.everyMs === undefined) await store.complete(job.id, owner)
        else await store.retry(job.id, owner, clock.now() + kind.everyMs, '')
        return true
      } catch (error) {
        return await settleFailure(kind, job, error)
      } finally {
        ended.abort()
        await renewing
      }
    },

    /** For when nothing can be written: does a job that is not in the database. */
    runUnclaimed: (kind: JobKind): Promise<void> => {
      const job = { id: kind.kind, kind: kind.kind, payload: {}, attempts: 1, createdAt: clock.now() }
      return handle(kind, job, new AbortController())
    },

    /** What runs is to end; what is run from now on is stopped at once. */
    stop(): void {
      isStopping = true
      for (const stop of stops) stop.abort()
    },
  }
}

/** Errors may quote URLs and answers of others: no secrets, no NUL (PostgreSQL refuses it), and not too long. */
function toStoredText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return maskSecrets(text).replaceAll('\0', '').slice(0, 1000)
}
