import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
  vi.advanceTimersByTime(5)
  expect(passed).toHaveBeenCalledOnce()
  deadline.set(5)
  deadline.clear()
  vi.advanceTimersByTime(1000)
  expect(passed).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
