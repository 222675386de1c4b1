import { afterEach, expect, test, vi } from 'vitest'
import { createStartSlots, type StartsWhen } from './start-slots.ts'

afterEach(() => vi.useRealTimers())

function createStage() {
  vi.useFakeTimers()
  const slots = createStartSlots({ maxStarting: 2, maxStartMs: 5_000 })
  const started: string[] = []
  const leaves = new Map<string, () => void>()
  function start(name: string, when: StartsWhen, signal = new AbortController().signal): void {
    void slots.take(when, signal).then((leave) => {
      if (!leave) return
      started.push(name)
      leaves.set(name, leave)
    })
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { started, start, settle, leave: (name: string) => leaves.get(name)!() }
}

test('two start at once, the next when one of them has; first those for whom somebody waits', async () => {
  const { started, start, settle, leave } = createStage()
  for (const name of ['a', 'b', 'c', 'd']) start(name, 'later')
  start('watched', 'soon')
  await settle()
  expect(started).toEqual(['a', 'b'])
  leave('a')
  leave('a')
  await settle()
  expect(started).toEqual(['a', 'b', 'watched'])
  leave('b')
  leave('watched')
  await settle()
  expect(started).toEqual(['a', 'b', 'watched', 'c', 'd'])
})

test('who hangs keeps its place for five seconds', async () => {
  const { started, start, settle, leave } = createStage()
  for (const name of ['a', 'b', 'c', 'd', 'e']) start(name, 'later')
  await settle()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(started).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toHaveLength(4)
  // What has lost its place has none to leave.
  leave('a')
  await settle()
  expect(started).toHaveLength(4)
})

test('who is stopped while it waits never starts, and holds up nobody', async () => {
  const { started, start, settle, leave } = createStage()
  const stopping = new AbortController()
  start('a', 'later')
  start('b', 'later')
  start('c', 'later', stopping.signal)
  start('d', 'later')
  await settle()
  stopping.abort()
  start('e', 'later', stopping.signal)
  leave('a')
  await settle()
  expect(started).toEqual(['a', 'b', 'd'])
})
