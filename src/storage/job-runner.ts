import { randomUUID } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Job, type JobStore } from './jobs.store.ts'

/** Does jobs of one kind. A handler may be called again for the same job after a crash, so it must bear that. */
export interface JobKind {
  readonly kind: string
  handle(job: Job, signal: AbortSignal): Promise<void>
  /** Jobs at the same time; 1 unless said otherwise. */
  readonly concurrency?: number
  /** How long a runner that died keeps its job from others. Live runners renew it. */
  readonly leaseMs?: number
  /** What to do with a job that failed; by default `retryLater`. */
  readonly onFailure?: (job: Job, ageMs: number) => Verdict
  /** With this, the kind has one job that comes again and again, whatever it answered. */
  readonly everyMs?: number
}

export type Verdict = { readonly do: 'retry'; readonly inMs: number } | { readonly do: 'bury' }

export interface JobRunner {
  /** Look now instead of at the next poll: something was added. */
  wake(kind: string): void
  /** Takes no more, and resolves when what runs has ended. */
  close(): Promise<void>
}

const POLL_MS = 1_000
const DAY_MS = 86_400_000

/** Waits double from one second to ten minutes, spread by ±20 % so that many jobs don't come back at once; after a day a job is dead. */
export function retryLater({ attempts }: Job, ageMs: number, random = Math.random()): Verdict {
  if (ageMs >= DAY_MS) return { do: 'bury' }
  const waitMs = Math.min(600_000, 1_000 * 2 ** (attempts - 1))
  return { do: 'retry', inMs: Math.round(waitMs * (0.8 + 0.4 * random)) }
}

export interface JobRunnerDeps {
  readonly store: JobStore
  readonly kinds: readonly JobKind[]
  readonly clock: Clock
  readonly log: Log
}

export function createJobRunner({ store, kinds, clock, log }: JobRunnerDeps): JobRunner {
  const owner = randomUUID()
  const stopping = new AbortController()
  const wakers = new Map<string, () => void>()
  const loops = kinds.map((kind) => runKind(kind))

  async function runKind(kind: JobKind): Promise<void> {
    const { concurrency = 1, leaseMs = 60_000 } = kind
    const running = new Set<Promise<void>>()
    while (!stopping.signal.aborted) {
      try {
        if (kind.everyMs !== undefined)
          await store.add({ kind: kind.kind, payload: {}, runAt: clock.now(), uniqueKey: 'recurring' }, clock.now())
        const free = concurrency - running.size
        const jobs = free > 0 ? await store.claim(kind.kind, free, owner, clock.now(), clock.now() + leaseMs) : []
        for (const job of jobs) {
          const done = runJob(kind, job, leaseMs).finally(() => {
            running.delete(done)
            wakers.get(kind.kind)?.()
          })
          running.add(done)
        }
      } catch (error) {
        log.warn({ err: error, kind: kind.kind }, 'jobs could not be read; trying again')
      }
      await sleepOrWake(kind.kind)
    }
    await Promise.all(running)
  }

  async function sleepOrWake(kind: string): Promise<void> {
    const wake = new AbortController()
    wakers.set(kind, () => wake.abort())
    await clock.sleep(POLL_MS, AbortSignal.any([wake.signal, stopping.signal]))
  }

  async function runJob(kind: JobKind, job: Job, leaseMs: number): Promise<void> {
    const ended = new AbortController()
    const renewing = renewLease(job, leaseMs, ended.signal)
    try {
      await kind.handle(job, stopping.signal)
      if (kind.everyMs === undefined) await store.complete(job.id, owner)
      else await store.retry(job.id, owner, clock.now() + kind.everyMs, '')
    } catch (error) {
      await settleFailure(kind, job, error as Error)
    } finally {
      ended.abort()
      await renewing
    }
  }

  async function settleFailure(kind: JobKind, job: Job, error: Error): Promise<void> {
    const verdict: Verdict =
      kind.everyMs === undefined
        ? (kind.onFailure ?? retryLater)(job, clock.now() - job.createdAt)
        : { do: 'retry', inMs: kind.everyMs }
    log.warn({ err: error, kind: kind.kind, job: job.id, attempts: job.attempts, verdict }, 'job failed')
    try {
      if (verdict.do === 'retry') await store.retry(job.id, owner, clock.now() + verdict.inMs, error.message)
      else await store.bury(job.id, owner, error.message)
    } catch (settleError) {
      // The lease will run out, and the job comes back by itself.
      log.warn({ err: settleError, job: job.id }, 'a failed job could not be put back')
    }
  }

  async function renewLease(job: Job, leaseMs: number, ended: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(leaseMs / 3, ended)
      if (ended.aborted) return
      await store
        .extendLease(job.id, owner, clock.now() + leaseMs)
        .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'lease not renewed'))
    }
  }

  return {
    wake: (kind) => wakers.get(kind)?.(),
    async close() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
