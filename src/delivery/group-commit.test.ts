import { expect, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { createGroupCommit } from './group-commit.ts'

test('what comes together is written together, in order', async () => {
  const groups: (readonly number[])[] = []
  const commit = createGroupCommit<number>({ write: async (ops) => void groups.push(ops), clock: systemClock })
  const all = Array.from({ length: 1_200 }, (_, index) => index)
  await Promise.all(all.map((op) => commit.add(op)))
  expect(groups.flat()).toEqual(all)
  expect(groups.length).toBeLessThanOrEqual(4)
})

test('a write that fails is tried again; one that always fails is told', async () => {
  let failures = 1
  const write = async () => {
    if (failures-- > 0) throw new Error('the disk is full')
  }
  const clock = { ...systemClock, sleep: async () => {} }
  const commit = createGroupCommit<number>({ write, clock })
  await commit.add(1)
  failures = Infinity
  await expect(commit.add(2)).rejects.toThrow('the disk is full')
  failures = 0
  await commit.add(3)
})

test('flushing waits for what was told before, not for those who never stop', async () => {
  let isOver = false
  const commit = createGroupCommit<number>({ write: async () => {}, clock: systemClock, tickMs: 1 })
  const busy = (async () => {
    for (let op = 0; !isOver; op++) await Promise.all([commit.add(op), commit.add(op)])
  })()
  await commit.flush()
  isOver = true
  await busy
})
