import { Duplex } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import { createOutbox } from './outbox.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
const LIMITS = { maxUnsentBytes: 200_000, maxUnsentMs: 3_000, stalledMs: 10_000 }

/** A socket whose other side takes only what the test lets it take. */
function createRig() {
  let take: (() => void) | undefined
  const received: Buffer[] = []
  const socket = new Duplex({
    read: () => {},
    writev(chunks, callback) {
      received.push(...chunks.map(({ chunk }) => chunk as Buffer))
      take = () => {
        take = undefined
        callback()
      }
    },
  })
  const onStalled = vi.fn()
  return {
    socket,
    received,
    onStalled,
    outbox: createOutbox(socket, LIMITS, onStalled),
    /** One batch; false when there is none. */
    take: async () => {
      if (!take) return false
      take()
      await new Promise((resolve) => setImmediate(resolve))
      return true
    },
  }
}

test('all bytes arrive in their order, in batches of 64 kB', async () => {
  const { outbox, take, received } = createRig()
  const first = Buffer.alloc(150_000, 1)
  const second = Buffer.alloc(10, 2)
  expect(outbox.send(first)).toBe(true)
  expect(outbox.send(second)).toBe(true)
  expect(Buffer.concat(received)).toHaveLength(65_536)
  while (await take());
  expect(Buffer.concat(received).equals(Buffer.concat([first, second]))).toBe(true)
})

test('what does not fit is not sent at all', async () => {
  const { outbox, take, received } = createRig()
  outbox.send(Buffer.alloc(150_000))
  expect(outbox.send(Buffer.alloc(40_000), Buffer.alloc(20_000))).toBe(false)
  expect(outbox.send(Buffer.alloc(50_000))).toBe(true)
  expect([outbox.isBehind, outbox.isRelaxed]).toEqual([true, false])
  while (await take());
  expect(Buffer.concat(received)).toHaveLength(200_000)
  expect([outbox.isBehind, outbox.isRelaxed]).toEqual([false, true])
})

test('it is behind when the oldest has waited for long, however little it is', async () => {
  const { outbox, take } = createRig()
  outbox.send(Buffer.alloc(10))
  vi.advanceTimersByTime(2_000)
  expect([outbox.isBehind, outbox.isRelaxed]).toEqual([false, false])
  vi.advanceTimersByTime(1_001)
  expect(outbox.isBehind).toBe(true)
  await take()
  expect([outbox.isBehind, outbox.isRelaxed]).toEqual([false, true])
})

test('a side that takes nothing at all is given up, one that takes a little is not', async () => {
  const { outbox, take, onStalled } = createRig()
  outbox.send(Buffer.alloc(190_000))
  for (const _ of [1, 2]) {
    vi.advanceTimersByTime(9_000)
    await take()
  }
  expect(onStalled).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(onStalled).toHaveBeenCalledOnce()
})

test('with nothing to send nobody is given up', async () => {
  const { outbox, take, onStalled } = createRig()
  outbox.send(Buffer.alloc(10))
  await take()
  vi.advanceTimersByTime(60_000)
  expect(onStalled).not.toHaveBeenCalled()
})

test('what was sent goes out before the end, and nothing after it', async () => {
  const { outbox, socket, take, received } = createRig()
  outbox.send(Buffer.alloc(100_000))
  outbox.finish()
  expect(outbox.send(Buffer.alloc(1))).toBe(false)
  expect(socket.writableEnded).toBe(false)
  while (await take());
  expect(Buffer.concat(received)).toHaveLength(100_000)
  expect(socket.writableEnded).toBe(true)
})

test('a closed socket leaves no timer behind', async () => {
  const { outbox, socket } = createRig()
  outbox.send(Buffer.alloc(100_000))
  socket.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  expect(vi.getTimerCount()).toBe(0)
})
