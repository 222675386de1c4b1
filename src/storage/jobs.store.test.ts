import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createJobStore, type JobStore } from './jobs.store.ts'

/** Further ahead is no job but one of a clock that was set back. */
const AHEAD_MS = 100_000

describe.each(dialects)('jobs on %s', (dialect) => {
  let database: TestDatabase
  let jobs: JobStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    jobs = createJobStore(database)
  })
  afterEach(() => database.remove())

  const add = (payload: unknown, runAt = 0) => jobs.add({ kind: 'mail', payload, runAt }, 0)

  test('a job is taken when it is due, oldest first, once', async () => {
    await add('later', 200)
    await add('second', 20)
    await add('first', 10)
    expect((await jobs.claim('mail', 10, 'me', 100, 500, AHEAD_MS)).map((job) => job.payload)).toEqual([
      'first',
      'second',
    ])
    expect(await jobs.claim('mail', 10, 'you', 100, 500, AHEAD_MS)).toEqual([])
    expect(await jobs.claim('other', 10, 'me', 1000, 1500, AHEAD_MS)).toEqual([])
  })

  test('fifty runners at once never take the same job', async () => {
    for (let i = 0; i < 100; i++) await add(i)
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, i) => jobs.claim('mail', 2, `runner-${i}`, 1, 1000, AHEAD_MS)),
    )
    const ids = taken.flat().map((job) => job.id)
    expect(new Set(ids).size).toBe(ids.length)
    const rest = await jobs.claim('mail', 100, 'last', 1, 1000, AHEAD_MS)
    expect(ids.length + rest.length).toBe(100)
  })

  test('of nodes, each does what is on its machine, and any does the rest', async () => {
    const [a, b] = ['a', 'b'].map((id) => createJobStore(database, { id, epoch: 1 }))
    for (const of of [a!, b!, b!])
      await of.add({ kind: 'sweep', payload: {}, runAt: 0, uniqueKey: 'recurring', isOfNode: true }, 0)
    await add('any')
    expect(await a!.claim('sweep', 10, 'a', 1, 500, AHEAD_MS)).toHaveLength(1)
    expect(await jobs.claim('sweep', 10, 'alone', 1, 500, AHEAD_MS)).toEqual([])
    expect(await b!.claim('sweep', 10, 'b', 1, 500, AHEAD_MS)).toHaveLength(1)
    expect(await b!.claim('mail', 10, 'b', 1, 500, AHEAD_MS)).toHaveLength(1)
  })

  test('the job of a runner that died comes back when its lease is over', async () => {
    await add('work')
    await jobs.claim('mail', 1, 'dead', 0, 100, AHEAD_MS)
    expect(await jobs.claim('mail', 1, 'me', 99, 500, AHEAD_MS)).toEqual([])
    const [job] = await jobs.claim('mail', 1, 'me', 100, 500, AHEAD_MS)
    expect(job).toMatchObject({ payload: 'work', attempts: 2 })
    // The one that was thought dead has nothing to say any more.
    await jobs.complete(job!.id, 'dead')
    expect(await jobs.extendLease(job!.id, 'dead', 900)).toBe(false)
    expect(await jobs.extendLease(job!.id, 'me', 900)).toBe(true)
  })

  test('what waits for longer than anything is put off is due as well: the clock was set back', async () => {
    const claimSweeps = (now: number) => jobs.claim('sweep', 1, 'me', now, now + 60, 10)
    await jobs.add({ kind: 'sweep', payload: {}, runAt: 10_010, uniqueKey: 'recurring' }, 0)
    expect(await claimSweeps(10_000)).toEqual([])
    expect(await claimSweeps(9_999)).toHaveLength(1)
    // So is one whose runner died before: it has the lease of a time that will not come for long.
    expect(await claimSweeps(9_989)).toEqual([])
    expect(await claimSweeps(9_988)).toHaveLength(1)
    // What does not recur may have been put off for longer.
    await add('work', 10_010)
    expect(await jobs.claim('mail', 1, 'me', 9_000, 9_060, AHEAD_MS)).toEqual([])
    expect(await jobs.claim('mail', 1, 'me', -90_000, -89_940, AHEAD_MS)).toHaveLength(1)
  })

  test('done is gone, failed waits, dead is listed', async () => {
    for (const payload of ['done', 'failed', 'dead']) await add(payload)
    const [done, failed, dead] = await jobs.claim('mail', 3, 'me', 0, 100, AHEAD_MS)
    await jobs.complete(done!.id, 'me')
    await jobs.retry(failed!.id, 'me', 50, 'no route')
    await jobs.bury(dead!.id, 'me', 0, 'no such host')
    expect(await jobs.claim('mail', 9, 'me', 49, 1100, AHEAD_MS)).toEqual([])
    expect((await jobs.claim('mail', 9, 'me', 50, 1100, AHEAD_MS)).map((job) => job.payload)).toEqual(['failed'])
    expect(await jobs.listDead('mail')).toMatchObject([{ payload: 'dead', lastError: 'no such host' }])
  })

  test('a unique job is there once until it is done', async () => {
    const addSweep = () => jobs.add({ kind: 'sweep', payload: {}, runAt: 0, uniqueKey: 'all' }, 0)
    await Promise.all([addSweep(), addSweep(), addSweep()])
    const [job] = await jobs.claim('sweep', 10, 'me', 0, 100, AHEAD_MS)
    await addSweep()
    expect(await jobs.claim('sweep', 10, 'me', 0, 100, AHEAD_MS)).toEqual([])
    await jobs.complete(job!.id, 'me')
    await addSweep()
    expect(await jobs.claim('sweep', 10, 'me', 0, 100, AHEAD_MS)).toHaveLength(1)
  })

  test('a job added in a transaction that fails was never there', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await jobs.add({ kind: 'mail', payload: 1, runAt: 0 }, 0, tx)
      throw new Error('roll back')
    })
    await expect(failing).rejects.toThrow('roll back')
    expect(await jobs.claim('mail', 1, 'me', 1000, 1100, AHEAD_MS)).toEqual([])
  })
})
