import { expect, test } from 'vitest'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type ChannelQueue, createChannelQueue } from './channel-queue.ts'
import { createChannelScheduler } from './channel-scheduler.ts'

function createRig(onDone: (queue: ChannelQueue) => void = () => {}) {
  const started: string[] = []
  const runs = new Map<string, Deferred<void>>()
  const scheduler = createChannelScheduler({
    run(queue) {
      started.push(queue.name)
      const done = createDeferred()
      runs.set(queue.name, done)
      return done.promise
    },
    onDone,
  })
  return {
    scheduler,
    started,
    finish: async (name: string): Promise<void> => {
      runs.get(name)!.resolve()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const queuesOf = (accountId: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    createChannelQueue({ channel: `${accountId} ${index}`, accountId, processId: null }),
  )

test('a channel is busy while it runs, and may be added again when it is done', async () => {
  const [queue] = queuesOf('a', 1)
  const { scheduler, started, finish } = createRig((done) => {
    expect(done.isBusy).toBe(false)
    if (started.length < 2) scheduler.add(done)
  })
  scheduler.add(queue!)
  expect(queue!.isBusy).toBe(true)
  await finish('a 0')
  expect(started).toEqual(['a 0', 'a 0'])
})

test('an account runs as many as it may, and others pass it', async () => {
  const { scheduler, started, finish } = createRig()
  for (const queue of [...queuesOf('greedy', 70), ...queuesOf('modest', 1)]) scheduler.add(queue)
  expect(started).toHaveLength(65)
  expect(started).toContain('modest 0')
  await finish('greedy 0')
  expect(started.at(-1)).toBe('greedy 64')
})

test('no more than 256 run at once; the rest has its turn in order', async () => {
  const { scheduler, started, finish } = createRig()
  for (const accountId of ['a', 'b', 'c', 'd', 'e']) for (const queue of queuesOf(accountId, 64)) scheduler.add(queue)
  expect(started).toHaveLength(256)
  await finish('a 0')
  await finish('b 0')
  expect(started.slice(256)).toEqual(['e 0', 'e 1'])
})

test('what was removed or cleared is not started; idle is when the rest has ended', async () => {
  const { scheduler, started, finish } = createRig()
  const queues = queuesOf('a', 67)
  for (const queue of queues) scheduler.add(queue)
  scheduler.remove(queues[64]!)
  await finish('a 0')
  expect(started.at(-1)).toBe('a 65')
  scheduler.clear()
  let isIdle = false
  void scheduler.whenIdle().then(() => (isIdle = true))
  for (const name of started.slice(1, -1)) await finish(name)
  expect(isIdle).toBe(false)
  await finish('a 65')
  expect(isIdle).toBe(true)
  expect(started).toHaveLength(65)
})
