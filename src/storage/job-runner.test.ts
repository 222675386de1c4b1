import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { until } from '../../test/support/until.ts'
import { createLog } from '../observe/log.ts'
import { type JobKind, retryLater } from './job-kind.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'
import { createJobStore, type Job, type JobStore } from './jobs.store.ts'

let database: TestDatabase
let store: JobStore
let runner: JobRunner | undefined
let clock: FakeClock
beforeEach(async () => {
  clock = createFakeClock()
  database = await createMigratedDatabase('sqlite')
  store = createJobStore(database)
})
afterEach(async () => {
  await runner?.close()
  await database.remove()
})

const log = createLog({ level: 'silent' })
function run(kind: JobKind): void {
  runner = createJobRunner({ store, clock, log })
  runner.start([kind])
}
const allJobs = () => database.db.selectFrom('job').selectAll().execute()
const addMail = (payload: unknown) => store.add({ kind: 'mail', payload, runAt: 0 }, clock.now())

test('a job that fails is tried again until it works', async () => {
  await addMail('hello')
  const attempts = await new Promise<number>((resolve) => {
    run({
      kind: 'mail',
      // A failed job wakes its kind, so one that is due at once needs no clock.
      onFailure: () => ({ do: 'retry', inMs: 0 }),
      async handle(job) {
        if (job.attempts < 3) throw new Error('not yet')
        resolve(job.attempts)
      },
    })
  })
  expect(attempts).toBe(3)
  await runner!.close()
  expect(await allJobs()).toEqual([])
})

test('close waits for what runs, and aborts its signal', async () => {
  await addMail('slow')
  let hasEnded = false
  await new Promise<void>((resolve) => {
    run({
      kind: 'mail',
      async handle(_job, signal) {
        resolve()
        await new Promise((end) => signal.addEventListener('abort', end))
        hasEnded = true
      },
    })
  })
  await runner!.close()
  expect(hasEnded).toBe(true)
})

test('what ends because the runner stops did not fail: it is due again at once', async () => {
  await addMail('slow')
  await new Promise<void>((resolve) => {
    run({
      kind: 'mail',
      onFailure: () => ({ do: 'bury' }),
      async handle(_job, signal) {
        resolve()
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut short'))))
      },
    })
  })
  await runner!.close()
  expect(await allJobs()).toMatchObject([{ state: 'waiting', run_at: clock.now(), last_error: '' }])
})

test('a job whose lease went to another runner is stopped', async () => {
  await addMail('slow')
  const stopped = new Promise<void>((resolve) => {
    run({
      kind: 'mail',
      leaseMs: 3000,
      async handle(_job, signal) {
        await database.db.updateTable('job').set({ lease_owner: 'another' }).execute()
        setImmediate(() => void clock.advance(1000))
        await new Promise((end) => signal.addEventListener('abort', end))
        resolve()
      },
    })
  })
  await stopped
  await runner!.close()
  expect(await allJobs()).toMatchObject([{ state: 'running', lease_owner: 'another' }])
})

test('being woken while it looks is not lost', async () => {
  let look: () => void = () => {}
  const slow: JobStore = {
    ...store,
    async claim(...args) {
      const jobs = await store.claim(...args)
      look()
      return jobs
    },
  }
  await new Promise<void>((resolve) => {
    runner = createJobRunner({ store: slow, clock, log })
    runner.start([{ kind: 'mail', handle: async () => resolve() }])
    // Added after the first look, before it has ended; nobody moves the clock.
    look = () => {
      look = () => {}
      void addMail('hello')
      runner!.wake('mail')
    }
  })
})

test('a policy that fails itself hurts nobody; the job comes back when its lease is over', async () => {
  await addMail('x')
  await new Promise<void>((resolve) => {
    run({
      kind: 'mail',
      onFailure: () => {
        setImmediate(resolve)
        throw new Error('bad policy')
      },
      handle: () => Promise.reject(new Error('no')),
    })
  })
  await runner!.close()
  expect(await allJobs()).toMatchObject([{ state: 'running' }])
})

test('what is kept of an error has no secrets, no NUL and an end', async () => {
  await addMail('x')
  const failure = new Error(`rtsp://cam:s3cret@host \0 ${'x'.repeat(5000)}`)
  await new Promise<void>((resolve) => {
    run({
      kind: 'mail',
      onFailure: () => {
        setImmediate(resolve)
        return { do: 'bury' }
      },
      handle: () => Promise.reject(failure),
    })
  })
  await runner!.close()
  const [dead] = await store.listDead('mail')
  expect(dead!.lastError).toMatch(/^rtsp:\/\/cam:\*\*\*@host {2}x+$/)
  expect(dead!.lastError).toHaveLength(1000)
})

test('a recurring kind has exactly one job, and comes again after a failure', async () => {
  let ran: () => void = () => {}
  const nextRun = () => new Promise<void>((resolve) => (ran = resolve))
  const first = nextRun()
  run({
    kind: 'sweep',
    everyMs: 60_000,
    async handle() {
      setImmediate(ran)
      throw new Error('disk is busy')
    },
  })
  await first
  for (let runs = 1; runs < 3; runs++) {
    const next = nextRun()
    await clock.advance(60_000)
    await next
  }
  await runner!.close()
  expect(await allJobs()).toMatchObject([{ kind: 'sweep', state: 'waiting', attempts: 3 }])
})

test('a recurring kind goes on when the clock of the machine is set back', async () => {
  let runs = 0
  run({ kind: 'sweep', everyMs: 60_000, handle: async () => void runs++ })
  const isWaiting = async () => (await allJobs())[0]?.state === 'waiting'
  await until(async () => runs === 1 && (await isWaiting()))
  clock.setBack(7_200_000)
  await clock.advance(1_000)
  await until(async () => runs === 2 && (await isWaiting()))
  await clock.advance(1_000)
  expect(runs).toBe(2)
})

describe('what a recurring kind asks the database between two runs', () => {
  async function count(change: Partial<JobStore> = {}) {
    let looks = 0
    let runs = 0
    runner = createJobRunner({
      store: {
        ...store,
        claim(...args) {
          looks += 1
          return store.claim(...args)
        },
        ...change,
      },
      clock,
      log,
    })
    runner.start([{ kind: 'sweep', everyMs: 60_000, handle: async () => void runs++ }])
    await until(async () => runs === 1)
    return {
      counts: () => ({ looks, runs }),
      pass: async (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          const slept = clock.nextSleep()
          await clock.advance(1_000)
          await slept
        }
      },
    }
  }

  test('is nothing', async () => {
    const { counts, pass } = await count()
    await until(async () => (await allJobs())[0]?.state === 'waiting')
    await pass(59)
    expect(counts()).toEqual({ looks: 1, runs: 1 })
    await clock.advance(1_000)
    await until(async () => counts().runs === 2)
  })

  test('is whether it is due, where it could not be written that it was done', async () => {
    let failures = 0
    const { counts, pass } = await count({
      async retry() {
        failures += 1
        throw new Error('the database is away')
      },
    })
    await until(async () => failures === 2)
    await pass(5)
    expect(counts().looks).toBeGreaterThan(4)
    // Its lease is over.
    await clock.advance(60_000)
    await until(async () => counts().runs === 2)
  })
})

test('so does a job that waits for its next attempt', async () => {
  await addMail('again')
  let tries = 0
  run({
    kind: 'mail',
    async handle() {
      tries += 1
      if (tries < 2) throw new Error('not yet')
    },
  })
  await until(async () => tries === 1 && (await allJobs())[0]?.state === 'waiting')
  clock.setBack(7_200_000)
  await clock.advance(1_000)
  await until(async () => tries === 2 && (await allJobs()).length === 0)
})

const job = (attempts: number): Job => ({ id: '1', kind: 'mail', payload: {}, attempts, createdAt: 0 })

test.each([
  { name: 'the first wait is about a second', attempts: 1, ageMs: 0, verdict: { do: 'retry', inMs: 1000 } },
  { name: 'waits double', attempts: 4, ageMs: 9000, verdict: { do: 'retry', inMs: 8000 } },
  { name: 'no wait is longer than ten minutes', attempts: 40, ageMs: 9000, verdict: { do: 'retry', inMs: 600_000 } },
  { name: 'after a day it is dead', attempts: 150, ageMs: 86_400_000, verdict: { do: 'bury' } },
])('$name', ({ attempts, ageMs, verdict }) => expect(retryLater(job(attempts), ageMs, 0.5)).toEqual(verdict))

test('on a disk too full to claim a job, only what makes room runs', async () => {
  const ran: string[] = []
  const kind = (name: string, runsOnFullDisk: boolean): JobKind => ({
    kind: name,
    runsOnFullDisk,
    everyMs: 10_000,
    handle: async () => void ran.push(name),
  })
  const lines: string[] = []
  runner = createJobRunner({
    store: { ...store, claim: fullDisk },
    clock,
    log: createLog({ level: 'warn', write: (line) => lines.push(line) }),
  })
  runner.start([kind('tidy', true), kind('mail', false)])
  await until(async () => ran.length === 1)
  for (let second = 0; second < 12; second++) await clock.advance(1_000)
  await until(async () => ran.length === 2)
  expect(ran).toEqual(['tidy', 'tidy'])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('the disk is full; make room on it')
  // Its own budget has nothing to do with it.
  expect(lines[0]).not.toContain('AERIE_DISK_BUDGET')
})

const fullDisk = async () =>
  Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }))

test('what makes room and fails is tried again when it is due, and not logged each time', async () => {
  let runs = 0
  const lines: string[] = []
  runner = createJobRunner({
    store: { ...store, claim: fullDisk },
    clock,
    log: createLog({ level: 'warn', write: (line) => lines.push(line) }),
  })
  runner.start([
    {
      kind: 'tidy',
      runsOnFullDisk: true,
      everyMs: 10_000,
      async handle() {
        runs++
        throw new Error('no')
      },
    },
  ])
  await until(async () => runs === 1)
  for (let second = 0; second < 9; second++) await clock.advance(1_000)
  expect(runs).toBe(1)
  for (let second = 0; second < 3; second++) await clock.advance(1_000)
  await until(async () => runs === 2)
  expect(lines.filter((line) => line.includes('job failed on a full disk'))).toHaveLength(1)
})

test('a runner that stops while it finds the disk full begins nothing more', async () => {
  let runs = 0
  let look: () => void = () => {}
  const looked = new Promise<void>((resolve) => (look = resolve))
  let refuse: () => void = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  runner = createJobRunner({
    store: {
      ...store,
      async claim() {
        look()
        await refused
        return fullDisk()
      },
    },
    clock,
    log,
  })
  runner.start([{ kind: 'tidy', runsOnFullDisk: true, everyMs: 10_000, handle: async () => void runs++ }])
  await looked
  const closed = runner.close()
  refuse()
  await closed
  expect(runs).toBe(0)
})
