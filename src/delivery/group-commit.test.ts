import { expect, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { createGroupCommit } from './group-commit.ts'

test('what comes together is written together, in order', async () => {
  const groups: (readonly number[])[] = []
  const commit = createGroupCommit<number>({ write: async (ops) => void groups.push(ops), clock: systemClock })
  const all = Array.from({ length: 1_200 }, (_, index) => index)
  await Promise.all(all.map((op) => commit.add('a', op)))
  expect(groups.flat()).toEqual(all)
  expect(groups.length).toBeLessThanOrEqual(7)
})

test('a write that fails rejects everything that is in it, and the next one goes on', async () => {
  const write = async (ops: readonly number[]) => {
    if (ops.includes(1)) throw new Error('the disk is full')
  }
  const commit = createGroupCommit<number>({ write, clock: systemClock, tickMs: 1 })
  await expect(commit.add('a', 1)).rejects.toThrow('the disk is full')
  await commit.add('a', 2)
})

test('flushing waits for what was added before, not for owners that never stop', async () => {
  let isOver = false
  const commit = createGroupCommit<number>({ write: async () => {}, clock: systemClock, tickMs: 1 })
  const busy = (async () => {
    for (let op = 0; !isOver; op++) await Promise.all([commit.add('a', op), commit.add('b', op)])
  })()
  await commit.flush()
  isOver = true
  await busy
})

test('a flood of one owner delays another by one transaction, and each keeps its order', async () => {
  const groups: (readonly string[])[] = []
  const held = createDeferred()
  const write = async (ops: readonly string[]) => {
    groups.push(ops)
    if (groups.length === 1) await held.promise
  }
  const commit = createGroupCommit<string>({ write, clock: systemClock, tickMs: 1 })
  const numbers = Array.from({ length: 5_000 }, (_, index) => String(index))
  const flood = numbers.map((op) => commit.add('greedy', op))
  while (groups.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const modest = ['one', 'two'].map((op) => commit.add('modest', op))
  held.resolve()
  await Promise.all(modest)
  expect(groups).toHaveLength(2)
  await Promise.all(flood)
  const ofGreedy = groups.flat().filter((op) => op !== 'one' && op !== 'two')
  expect(ofGreedy).toEqual(numbers)
  expect(Math.max(...groups.map((ops) => ops.length))).toBeLessThanOrEqual(200)
})

test('one owner who fills its place leaves room for others', async () => {
  const held = createDeferred()
  const commit = createGroupCommit<number>({ write: () => held.promise, clock: systemClock, tickMs: 1 })
  const flood = Promise.allSettled(Array.from({ length: 15_000 }, (_, op) => commit.add('greedy', op)))
  const modest = commit.add('modest', 1)
  held.resolve()
  await modest
  const refused = (await flood).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(5_000)
})

test('flushing waits for what every owner added before', async () => {
  const written: string[] = []
  const write = async (ops: readonly string[]) => void written.push(...ops)
  const commit = createGroupCommit<string>({ write, clock: systemClock, tickMs: 1 })
  for (let index = 0; index < 500; index++) void commit.add('greedy', 'x')
  void commit.add('modest', 'y')
  await commit.flush()
  expect(written).toHaveLength(501)
})

test('flushing one owner does not wait for all that another added', async () => {
  const written: string[] = []
  const write = async (ops: readonly string[]) => void written.push(...ops)
  const commit = createGroupCommit<string>({ write, clock: systemClock, tickMs: 1 })
  for (let index = 0; index < 1_000; index++) void commit.add('greedy', 'x')
  void commit.add('modest', 'y')
  await commit.flush('modest')
  expect(written).toContain('y')
  expect(written.length).toBeLessThan(1_001)
  await commit.flush()
})

test('what is large counts as much as it is, so that no transaction keeps everybody waiting for long', async () => {
  const groups: (readonly number[])[] = []
  const commit = createGroupCommit<number>({
    write: async (ops) => void groups.push(ops),
    weightOf: (op) => op,
    clock: systemClock,
    tickMs: 1,
  })
  const heavy = Array.from({ length: 5 }, () => commit.add('pictures', 140))
  const light = Array.from({ length: 100 }, () => commit.add('words', 1))
  await Promise.all([...heavy, commit.add('pictures', 900), ...light])
  const weights = groups.map((ops) => ops.reduce((sum, op) => sum + op, 0))
  expect(weights).toEqual([200, 180, 140, 140, 140, 900])
})
