import { MessageChannel } from 'node:worker_threads'
import { beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
test('calls once when nobody moved it', () => {
  const passed = vi.fn()
  createDeadline(passed).set(100)
  vi.advanceTimersByTime(99)
  expect(passed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(passed).toHaveBeenCalledOnce()
})

test('can be moved away, nearer, and taken back', () => {
  const passed = vi.fn()
  const deadline = createDeadline(passed)
  deadline.set(100)
  vi.advanceTimersByTime(90)
  deadline.set(100)
  vi.advanceTimersByTime(90)
  expect(passed).not.toHaveBeenCalled()
  deadline.set(5)
  vi.advanceTimersByTime(6)
  expect(passed).toHaveBeenCalledOnce()
  deadline.set(5)
  deadline.clear()
  vi.advanceTimersByTime(1000)
  expect(passed).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('what came while the process stood still is read before it is called late', async () => {
  vi.useRealTimers()
  const { port1, port2 } = new MessageChannel()
  const passed = vi.fn()
  const deadline = createDeadline(passed)
  port1.on('message', () => deadline.set(60_000))
  deadline.set(20)
  port2.postMessage('alive')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(passed).not.toHaveBeenCalled()
  deadline.clear()
  port1.close()
})
