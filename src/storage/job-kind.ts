import { type Backoff, backoffMs } from '../core/retry.ts'
import { type Job } from './jobs.store.ts'

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

const DAY_MS = 86_400_000
/** Between two attempts at a job. */
export const RETRY_WAITS: Backoff = { firstMs: 1_000, maxMs: 600_000 }
/** Waits are spread by so much, so that many jobs don't come back at once. */
const SPREAD = 0.2
/** No job is further ahead, unless it recurs. */
export const MAX_RETRY_WAIT_MS = RETRY_WAITS.maxMs * (1 + SPREAD)

/** Waits double from one second to ten minutes; after a day a job is dead. */
export function retryLater({ attempts }: Job, ageMs: number, random = Math.random()): Verdict {
  if (ageMs >= DAY_MS) return { do: 'bury' }
  const waitMs = backoffMs(attempts - 1, RETRY_WAITS)
  return { do: 'retry', inMs: Math.round(waitMs * (1 - SPREAD + 2 * SPREAD * random)) }
}
