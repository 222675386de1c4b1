import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { fixedBy } from './disk-shares.ts'
import { type Job } from './jobs.store.ts'
import { createDiskBudget, type DiskBudget } from './disk-budget.ts'
import { type KeptFiles } from './kept-files.ts'

let database: TestDatabase
let logLines: string[]
let clock: FakeClock
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  logLines = []
  clock = createFakeClock()
})
afterEach(() => database.remove())

interface File {
  readonly account: string
  readonly writtenAt: number
  readonly sizeBytes: number
}

/** At this time, is being written. */
const NOW = 1e9
const isWritten = ({ writtenAt }: File) => writtenAt === NOW

/** A kind of what is kept, in memory. */
function keeping(...files: File[]): KeptFiles & { left: () => string[] } {
  return {
    async heldBytes() {
      const held = new Map<string, number>()
      for (const { account, sizeBytes } of files) held.set(account, (held.get(account) ?? 0) + sizeBytes)
      return held
    },
    removal: {
      writingBytes: async () =>
        new Map(files.filter(isWritten).map(({ account, sizeBytes }): [string, number] => [account, sizeBytes])),
      async listOldest(accountId, limit) {
        const own = files
          .filter((one) => one.account === accountId && !isWritten(one))
          .sort((a, b) => a.writtenAt - b.writtenAt)
        return own.slice(0, limit).map((file) => ({
          writtenAt: file.writtenAt,
          sizeBytes: file.sizeBytes,
          remove: async () => void files.splice(files.indexOf(file), 1),
        }))
      },
    },
    left: () => files.map(({ account, writtenAt }) => `${account} ${writtenAt}`),
  }
}

const file = (account: string, writtenAt: number, sizeBytes = 10): File => ({ account, writtenAt, sizeBytes })

function aBudget(fixedBytes: number, ...kinds: KeptFiles[]): DiskBudget {
  const log = createLog({ level: 'warn', write: (line) => void logLines.push(line) })
  const budget = createDiskBudget({ folder: tmpdir(), fixedBytes, db: database.db, clock, log })
  for (const kind of kinds) budget.count(kind)
  return budget
}
const going = () => new AbortController().signal

test('what all kinds hold is counted by account, and who belongs to whom', async () => {
  const { account: master } = await addAccount(database, { username: 'admin' })
  const { account: bob } = await accountsOn(database).service.createChild(master, { username: 'bob', minutes: 0 })
  const uploads: KeptFiles = {
    heldBytes: async () =>
      new Map([
        [bob.id, 5],
        ['nothing', 0],
      ]),
  }
  const state = await aBudget(100, keeping(file(master.id, 1), file(bob.id, 2)), uploads).state()
  expect(state).toMatchObject({ usedBytes: 25, limitBytes: 100, leftBytes: 75 })
  expect(state.holders).toEqual([
    { accountId: master.id, masterId: master.id, heldBytes: 10, removableBytes: 10 },
    { accountId: bob.id, masterId: master.id, heldBytes: 15, removableBytes: 10 },
  ])
})

test('an account that exceeds its share loses its oldest of all kinds, as much as needed, and no other loses anything', async () => {
  const recordings = keeping(file('bob', 0), file('mallory', 3), file('mallory', 1), file('bob', 1))
  const videos = keeping(file('mallory', 2), file('mallory', 4), file('mallory', 5))
  const state = await aBudget(50, recordings, videos).trim(going())
  expect(recordings.left()).toEqual(['bob 0', 'mallory 3', 'bob 1'])
  expect(videos.left()).toEqual(['mallory 4', 'mallory 5'])
  expect(state).toMatchObject({ usedBytes: 50, leftBytes: 0, limitBytes: 50 })
  for (const { heldBytes, removableBytes } of state!.holders) expect(removableBytes).toBe(heldBytes)
  expect(logLines).toHaveLength(1)
})

test('uploads are never removed, and what cannot be made room for is said', async () => {
  const uploads: KeptFiles = { heldBytes: async () => new Map([['mallory', 90]]) }
  const recordings = keeping(file('bob', 1), file('bob', 2), file('mallory', 3))
  const state = await aBudget(60, recordings, uploads).trim(going())
  expect(recordings.left()).toEqual(['bob 1', 'bob 2'])
  expect(state).toMatchObject({ leftBytes: -50 })
})

test('two passes at once do not remove the same excess twice', async () => {
  const recordings = keeping(...[1, 2, 3, 4, 5].map((at) => file('bob', at)))
  const budget = aBudget(30, recordings)
  await Promise.all([budget.trim(going()), budget.trim(going())])
  expect(recordings.left()).toEqual(['bob 3', 'bob 4', 'bob 5'])
})

test('a budget made much smaller is reached in several passes', async () => {
  const recordings = keeping(...Array.from({ length: 1500 }, (_, at) => file('bob', at, 1)))
  const budget = aBudget(100, recordings)
  expect(await budget.trim(going())).toBeUndefined()
  expect(recordings.left()).toHaveLength(500)
  expect(await budget.trim(going())).toMatchObject({ usedBytes: 100 })
  expect(recordings.left()[0]).toBe('bob 1400')
})

test('what is slow to count is counted for many uploads at once, and for every pass', async () => {
  let counts = 0
  const heldBytes = async () => new Map([['bob', (counts += 1)]])
  const budget = aBudget(1_000, { isSlowToCount: true, heldBytes }, keeping(file('bob', 1)))
  for (let upload = 0; upload < 5; upload += 1) await budget.state()
  expect(counts).toBe(1)
  await clock.advance(2_000)
  expect(await budget.state()).toMatchObject({ usedBytes: 12 })
  await budget.trim(going())
  await budget.trim(going())
  expect(counts).toBe(4)
})

test('what is being written cannot be removed, so it counts as fixed', async () => {
  const state = await aBudget(100, keeping(file('bob', 1, 30), file('bob', NOW, 20))).state()
  expect(state.holders).toMatchObject([{ heldBytes: 50, removableBytes: 30 }])
  expect(fixedBy(state, 'bob')).toBe(20)
})

test('one pass of the job counts once, and all who want to know hear how the disk stands', async () => {
  let counts = 0
  const kept: KeptFiles = { isSlowToCount: true, heldBytes: async () => new Map([['bob', (counts += 1)]]) }
  const budget = aBudget(100, kept)
  const heard: (number | undefined)[] = []
  budget.onPass(() => Promise.reject(new Error('broken')))
  for (let i = 0; i < 2; i++) budget.onPass((state) => void heard.push(state?.usedBytes))
  await expect(budget.job.handle({} as Job, going())).rejects.toThrow('broken')
  expect(heard).toEqual([1, 1])
  expect(counts).toBe(1)
})

test('a pass that is stopped removes nothing more', async () => {
  const recordings = keeping(file('bob', 1))
  expect(await aBudget(5, recordings).trim(AbortSignal.abort())).toBeUndefined()
  expect(recordings.left()).toEqual(['bob 1'])
})
