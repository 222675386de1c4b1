import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startOpening } from './opening.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('opening is broken off after four silences', () => {
  const { signal } = startOpening(new AbortController().signal, 1_000)
  vi.advanceTimersByTime(3_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(2)
  expect(signal.aborted).toBe(true)
})

test('or when we leave', () => {
  const leaving = new AbortController()
  const opening = startOpening(leaving.signal, 1_000)
  leaving.abort()
  expect(opening.signal.aborted).toBe(true)
  opening.end()
})

test('what is open is broken off by neither', () => {
  const leaving = new AbortController()
  const opening = startOpening(leaving.signal, 1_000)
  opening.end()
  leaving.abort()
  vi.advanceTimersByTime(10_000)
  expect(opening.signal.aborted).toBe(false)
})
