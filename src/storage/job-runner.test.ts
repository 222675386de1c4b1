import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/builders/databases.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { createJobRunner, type JobKind, type JobRunner, retryLater } from './job-runner.ts'
import { createJobStore, type Job, type JobStore } from './jobs.store.ts'

let database: TestDatabase
let store: JobStore
let runner: JobRunner | undefined
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  store = createJobStore(database)
})
afterEach(async () => {
  await runner?.close()
  await database.remove()
})

const log = createLog({ level: 'silent' })
const run = (kind: JobKind) => void (runner = createJobRunner({ store, kinds: [kind], clock: systemClock, log }))
const addMail = (payload: unknown) => store.add({ kind: 'mail', payload, runAt: 0 }, Date.now())

test('a job that fails is tried again until it works', async () => {
  await addMail('hello')
  const attempts = await new Promise<number>((resolve) => {
    run({
      kind: 'mail',
      onFailure: () => ({ do: 'retry', inMs: 0 }),
      async handle(job) {
        if (job.attempts < 3) throw new Error('not yet')
        resolve(job.attempts)
      },
    })
  })
  expect(attempts).toBe(3)
  await runner!.close()
  expect(await store.nextRunAt('mail')).toBeUndefined()
})

test('close waits for what runs, and tells it to hurry', async () => {
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

test('a recurring kind has exactly one job, and comes again after a failure', async () => {
  let runs = 0
  await new Promise<void>((resolve) => {
    run({
      kind: 'sweep',
      everyMs: 1,
      async handle() {
        runs += 1
        if (runs === 3) resolve()
        throw new Error('disk is busy')
      },
    })
  })
  await runner!.close()
  expect(await database.db.selectFrom('job').select(['kind', 'state']).execute()).toEqual([
    { kind: 'sweep', state: 'waiting' },
  ])
})

const job = (attempts: number): Job => ({ id: '1', kind: 'mail', payload: {}, attempts, createdAt: 0 })

test.each([
  { name: 'the first wait is about a second', attempts: 1, ageMs: 0, verdict: { do: 'retry', inMs: 1000 } },
  { name: 'waits double', attempts: 4, ageMs: 9000, verdict: { do: 'retry', inMs: 8000 } },
  { name: 'no wait is longer than ten minutes', attempts: 40, ageMs: 9000, verdict: { do: 'retry', inMs: 600_000 } },
  { name: 'after a day it is dead', attempts: 150, ageMs: 86_400_000, verdict: { do: 'bury' } },
])('$name', ({ attempts, ageMs, verdict }) => expect(retryLater(job(attempts), ageMs, 0.5)).toEqual(verdict))
