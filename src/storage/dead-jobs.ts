import { type Clock } from '../core/clock.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type JobKind } from './job-kind.ts'
import { type DeadJobCount, type JobStore } from './jobs.store.ts'

const DAY_MS = 86_400_000
/** Long enough for a person to look; what nobody looked at by then helps nobody. */
const KEEP_MS = 30 * DAY_MS
const LOOK_EVERY_MS = 60_000

export interface DeadJobsDeps {
  readonly store: Pick<JobStore, 'countDead' | 'removeDeadBefore'>
  readonly metrics: Pick<Metrics, 'addGauge'>
  readonly clock: Pick<Clock, 'now'>
}

/** Counts dead jobs for the operator, and removes the old ones. */
export function createDeadJobs({ store, metrics, clock }: DeadJobsDeps): { readonly job: JobKind } {
  /** Of the last look: `/metrics` is answered also while the database is away. */
  let counts: readonly DeadJobCount[] = []
  metrics.addGauge({
    name: 'aerie_jobs_dead',
    help: 'Jobs that failed for good in the last 30 days.',
    labels: ['kind'],
    read: () => counts.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  })
  return {
    job: {
      kind: 'dead-jobs',
      everyMs: LOOK_EVERY_MS,
      async handle() {
        await store.removeDeadBefore(clock.now() - KEEP_MS)
        counts = await store.countDead()
      },
    },
  }
}
