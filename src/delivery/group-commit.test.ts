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

test('a write that fails is told to those who are in it, and the next one goes on', async () => {
  const write = async (ops: readonly number[]) => {
    if (ops.includes(1)) throw new Error('the disk is full')
  }
  const commit = createGroupCommit<number>({ write, clock: systemClock, tickMs: 1 })
  await expect(commit.add(1)).rejects.toThrow('the disk is full')
  await commit.add(2)
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
