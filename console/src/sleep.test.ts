import { beforeEach, expect, test, vi } from 'vitest'
import { sleep } from './sleep.ts'

beforeEach(() => void vi.useFakeTimers())

test('a player that tries again and again leaves nothing at its signal', async () => {
  const { signal } = new AbortController()
  const add = vi.spyOn(signal, 'addEventListener')
  const remove = vi.spyOn(signal, 'removeEventListener')
  for (let round = 0; round < 3; round++) {
    const slept = sleep(2_000, signal)
    vi.advanceTimersByTime(2_000)
    await slept
  }
  const listenersOf = (calls: readonly unknown[][]) => calls.map(([, listener]) => listener)
  expect(add).toHaveBeenCalledTimes(3)
  expect(listenersOf(remove.mock.calls)).toEqual(listenersOf(add.mock.calls))
})

test('an abort ends it at once, also one that came before', async () => {
  const leaving = new AbortController()
  const slept = sleep(2_000, leaving.signal)
  leaving.abort()
  await slept
  await sleep(2_000, leaving.signal)
  expect(vi.getTimerCount()).toBe(0)
})
