import { expect, test } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'

async function drain<T>(queue: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of queue) items.push(item)
  return items
}

test('drop-oldest keeps the newest and counts what it lost', async () => {
  const queue = createBoundedQueue<number>({ limit: 2, overflow: 'drop-oldest' })
  for (const item of [1, 2, 3, 4]) expect(queue.push(item)).toBe(true)
  queue.close()
  expect(queue.dropped).toBe(2)
  expect(await drain(queue)).toEqual([3, 4])
})

test('refuse keeps what it has and says no', async () => {
  const queue = createBoundedQueue<number>({ limit: 2, overflow: 'refuse' })
  expect([1, 2, 3].map((item) => queue.push(item))).toEqual([true, true, false])
  queue.close()
  expect(await drain(queue)).toEqual([1, 2])
})

test('a waiting consumer gets what comes later, and ends when the queue closes', async () => {
  const queue = createBoundedQueue<string>({ limit: 8, overflow: 'refuse' })
  const drained = drain(queue)
  await Promise.resolve()
  queue.push('late')
  queue.close()
  expect(await drained).toEqual(['late'])
  expect(queue.push('too late')).toBe(false)
})
