import { beforeEach, expect, test } from 'vitest'
import { createCutTurns, type CutTurns } from './cut-turns.ts'

/** Of each account those that wait. */
let waiting: Map<string, string[]>
let turns: CutTurns
beforeEach(() => {
  waiting = new Map()
  const listFirstWaiting = async () =>
    [...waiting].flatMap(([accountId, [id]]) => (id === undefined ? [] : [{ accountId, id }]))
  turns = createCutTurns({ store: { listFirstWaiting }, clock: { now: () => 100_000 } })
})

/** As jobs come, by the time at which they were added. */
async function cutAll(jobs: readonly string[]): Promise<string[]> {
  const cut: string[] = []
  const done = (id: string) => {
    cut.push(id)
    for (const [account, ids] of waiting)
      waiting.set(
        account,
        ids.filter((one) => one !== id),
      )
  }
  for (const job of jobs) {
    if (cut.includes(job)) continue
    const accountId = job.slice(0, -1)
    for (let id; (id = await turns.takeBefore({ accountId })) !== undefined;) done(id)
    done(job)
  }
  return cut
}

const add = (accountId: string, count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `${accountId}${index + 1}`)
  waiting.set(accountId, ids)
  return ids
}

test('however many one account has, each other has its turn after one of them', async () => {
  const jobs = [...add('mallory', 4), ...add('bob', 2), ...add('ann', 1)]
  expect(await cutAll(jobs)).toEqual(['mallory1', 'ann1', 'bob1', 'mallory2', 'bob2', 'mallory3', 'mallory4'])
})

test('who comes again and again is not new each time', async () => {
  await cutAll(add('mallory', 1))
  await cutAll(add('bob', 1))
  const jobs = [...add('bob', 1), ...add('mallory', 1)]
  expect(await cutAll(jobs)).toEqual(['mallory1', 'bob1'])
})

test('what is alone is cut at once', async () => {
  expect(await cutAll(add('bob', 3))).toEqual(['bob1', 'bob2', 'bob3'])
})
