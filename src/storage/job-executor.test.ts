import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createJobExecutor, type JobExecutor } from './job-executor.ts'
import { type JobKind } from './job-kind.ts'
import { type Job } from './jobs.store.ts'

const job: Job = { id: '1', kind: 'mail', payload: {}, attempts: 1, createdAt: 0 }
let clock: FakeClock
let executor: JobExecutor
/** What was written of jobs. */
let written: string[]
let isLeaseOurs: boolean

beforeEach(() => {
  clock = createFakeClock(0)
  ;[written, isLeaseOurs] = [[], true]
  executor = createJobExecutor({
    store: {
      claim: async (kind, count, _owner, nowMs, leaseUntilMs) => {
        written.push(`claims ${count} ${kind} from ${nowMs} to ${leaseUntilMs}`)
        return [job]
      },
      complete: async () => void written.push('complete'),
      retry: async (_id, _owner, runAt, error) => void written.push(`again at ${runAt}: ${error}`),
      bury: async (_id, _owner, _diedAt, error) => void written.push(`buried: ${error}`),
      extendLease: async (_id, _owner, untilMs) => (written.push(`lease until ${untilMs}`), isLeaseOurs),
    },
    clock,
    log: createLog({ level: 'silent' }),
  })
})

const aKind = (handle: JobKind['handle'], change: Partial<JobKind> = {}): JobKind => ({
  kind: 'mail',
  handle,
  ...change,
})
const untilAborted = (_job: Job, signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut short'))))
const fails = () => Promise.reject(new Error('no\0 way'))

test('what is claimed is leased for a minute, or for as long as its kind says', async () => {
  await executor.claim(aKind(fails), 2)
  await executor.claim(aKind(fails, { leaseMs: 5 }), 1)
  expect(written).toEqual(['claims 2 mail from 0 to 60000', 'claims 1 mail from 0 to 5'])
})

test.each([
  { rule: 'one that is done is complete', kind: aKind(async () => {}), is: 'complete' },
  { rule: 'a recurring one is done again', kind: aKind(async () => {}, { everyMs: 7 }), is: 'again at 7: ' },
  {
    rule: 'a recurring one is done again though it failed',
    kind: aKind(fails, { everyMs: 7 }),
    is: 'again at 7: no way',
  },
  {
    rule: 'what fails is as its kind decides',
    kind: aKind(fails, { onFailure: () => ({ do: 'bury' }) }),
    is: 'buried: no way',
  },
])('$rule', async ({ kind, is }) => {
  await executor.run(kind, job)
  expect(written).toEqual([is])
})

describe('a lease', () => {
  test('is renewed while its job runs', async () => {
    let finish = () => {}
    const done = executor.run(
      aKind(() => new Promise((resolve) => (finish = resolve))),
      job,
    )
    await clock.advance(20_000)
    await clock.advance(20_000)
    finish()
    await done
    expect(written).toEqual(['lease until 80000', 'lease until 100000', 'complete'])
  })

  test('that another runner has stops its job', async () => {
    const done = executor.run(aKind(untilAborted, { onFailure: () => ({ do: 'bury' }) }), job)
    isLeaseOurs = false
    await clock.advance(20_000)
    await done
    expect(written.at(-1)).toBe('buried: cut short')
  })
})

test('what ends because the service stops is due at once, and nothing is begun any more', async () => {
  const done = executor.run(aKind(untilAborted), job)
  executor.stop()
  await done
  await executor.run(
    aKind(() => expect.unreachable()),
    job,
  )
  expect(written).toEqual(['again at 0: ', 'again at 0: '])
  await expect(executor.runUnclaimed(aKind(() => expect.unreachable()))).rejects.toThrow('aborted')
})

test('on a full disk a job is done of which nothing is written', async () => {
  const done: string[] = []
  await executor.runUnclaimed(aKind(async ({ id }) => void done.push(id)))
  expect([done, written]).toEqual([['mail'], []])
})
