import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from './deferred.ts'
import { createFairQueue } from './fair-queue.ts'

const refusal = () => new Error('no room')
const settle = () => new Promise((resolve) => setImmediate(resolve))

function aQueue() {
  const clock = createFakeClock()
  const queue = createFairQueue({
    clock,
    maxRunning: 2,
    maxWaiting: 3,
    maxWaitingPerOwner: 2,
    maxWaitMs: 1000,
    refusal,
  })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  /** `b2` is the second of b. */
  function ask(name: string): Promise<string> {
    return queue.run(name[0]!, () => {
      started.push(name)
      const held = createDeferred<string>()
      ends.set(name, () => held.resolve(name))
      return held.promise
    })
  }
  async function end(name: string): Promise<void> {
    ends.get(name)!()
    await settle()
  }
  return { clock, ask, started, end }
}

test('each owner has one at a time, and others pass those who wait for themselves', async () => {
  const { ask, started, end } = aQueue()
  void ask('a1')
  void ask('a2')
  void ask('b1')
  await settle()
  expect(started).toEqual(['a1', 'b1'])
  void ask('c1')
  await end('b1')
  expect(started).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('beyond what may wait, for one owner or for all, it is refused', async () => {
  const { ask } = aQueue()
  for (const name of ['a1', 'b1', 'a2', 'a3']) void ask(name)
  await expect(ask('a4')).rejects.toThrow('no room')
  void ask('b2')
  await expect(ask('c1')).rejects.toThrow('no room')
})

test('who has waited too long is refused, and leaves its place to others', async () => {
  const { clock, ask, started, end } = aQueue()
  void ask('a1')
  const late = ask('a2')
  const isRefused = expect(late).rejects.toThrow('no room')
  await clock.advance(1000)
  await isRefused
  void ask('a3')
  await end('a1')
  expect(started).toEqual(['a1', 'a3'])
  // Its turn has come: the clock no longer matters.
  await clock.advance(5000)
})

test('what fails ends its turn', async () => {
  const clock = createFakeClock()
  const queue = createFairQueue({
    clock,
    maxRunning: 1,
    maxWaiting: 1,
    maxWaitingPerOwner: 1,
    maxWaitMs: 1000,
    refusal,
  })
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
