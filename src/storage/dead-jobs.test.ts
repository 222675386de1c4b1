import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { createDeadJobs } from './dead-jobs.ts'
import { type JobKind } from './job-kind.ts'
import { createJobStore, type JobStore } from './jobs.store.ts'

/** Further ahead is no job but one of a clock that was set back. */
const AHEAD_MS = 100_000

describe.each(dialects)('dead jobs on %s', (dialect) => {
  let database: TestDatabase
  let store: JobStore
  let clock: FakeClock
  let metrics: Metrics
  let job: JobKind
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createJobStore(database)
    clock = createFakeClock()
    metrics = createMetrics()
    job = createDeadJobs({ store, metrics, clock }).job
  })
  afterEach(() => database.remove())

  async function bury(kind: string, payload: unknown): Promise<void> {
    await store.add({ kind, payload, runAt: 0 }, clock.now())
    const [claimed] = await store.claim(kind, 1, 'me', clock.now(), clock.now() + 1_000, AHEAD_MS)
    await store.bury(claimed!.id, 'me', clock.now(), 'no such host')
  }

  async function shown(): Promise<string[]> {
    await job.handle({ id: '', kind: job.kind, payload: {}, attempts: 1, createdAt: 0 }, new AbortController().signal)
    return (await metrics.text()).split('\n').filter((line) => line.startsWith('aerie_jobs_dead'))
  }

  test('are counted by their kind for Prometheus', async () => {
    expect(await shown()).toEqual([])
    for (const payload of [1, 2]) await bury('mail', payload)
    await bury('purge', 3)
    await store.add({ kind: 'mail', payload: 'alive', runAt: 0 }, clock.now())
    expect(await shown()).toEqual(['aerie_jobs_dead{kind="mail"} 2', 'aerie_jobs_dead{kind="purge"} 1'])
  })

  test('are removed 30 days after their death, and nothing else is', async () => {
    await bury('mail', 'old')
    await store.add({ kind: 'purge', payload: 'alive', runAt: 0 }, clock.now())
    await clock.advance(15 * 86_400_000)
    await bury('mail', 'young')
    await clock.advance(15 * 86_400_000)
    expect(await shown()).toEqual(['aerie_jobs_dead{kind="mail"} 2'])
    await clock.advance(1)
    expect(await shown()).toEqual(['aerie_jobs_dead{kind="mail"} 1'])
    expect(await store.listDead('mail')).toMatchObject([{ payload: 'young' }])
    expect(await store.claim('purge', 9, 'me', clock.now(), clock.now() + 1_000, AHEAD_MS)).toHaveLength(1)
  })
})
