import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createWriteQueue, WRITE_OVERHEAD_BYTES } from './write-queue.ts'

/** A socket whose other end takes something only on request. */
function createStuckSocket() {
  let take = () => {}
  const socket = new Writable({ write: (_data, _encoding, done) => void (take = done) })
  return { socket, take: () => take() }
}

test('what waits counts with the objects around it, until it has gone', async () => {
  const { socket, take } = createStuckSocket()
  const queue = createWriteQueue(socket)
  const sent: number[] = []
  for (const id of [1, 2]) queue.write(Buffer.alloc(10), () => sent.push(id))
  queue.write(Buffer.alloc(5))
  expect(queue.heldBytes).toBe(25 + 3 * WRITE_OVERHEAD_BYTES)
  for (let i = 1; i <= 3; i++) {
    take()
    await new Promise(setImmediate)
    expect(sent).toEqual([1, 2].slice(0, i))
  }
  expect(queue.heldBytes).toBe(0)
})

test('what goes out at once never waits', () => {
  const queue = createWriteQueue(new Writable({ write: (_data, _encoding, done) => done() }))
  queue.write(Buffer.alloc(10))
  expect(queue.heldBytes).toBe(0)
})
