import { expect, test, vi } from 'vitest'
import { createStartSlots, type StartTurn } from './start-slots.ts'

function createRig() {
  vi.useFakeTimers()
  const slots = createStartSlots({ maxStarting: 2, maxStartMs: 5_000 })
  const started: string[] = []
  const leaves = new Map<string, () => void>()
  function start(
    name: string,
    when: StartTurn['when'],
    { owner = 'ann', signal = new AbortController().signal } = {},
  ): void {
    void slots.take({ when, owner }, signal).then((leave) => {
      if (!leave) return
      started.push(name)
      leaves.set(name, leave)
    })
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { started, start, settle, leave: (name: string) => leaves.get(name)!() }
}

test('two start at once, the next when one of them has; first those for whom somebody waits', async () => {
  const { started, start, settle, leave } = createRig()
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

test('a child that hangs keeps its slot for five seconds', async () => {
  const { started, start, settle, leave } = createRig()
  for (const name of ['a', 'b', 'c', 'd', 'e']) start(name, 'later')
  await settle()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(started).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toHaveLength(4)
  // What has lost its slot has none to release.
  leave('a')
  await settle()
  expect(started).toHaveLength(4)
})

test('a child that is stopped while it waits never starts, and holds up nobody', async () => {
  const { started, start, settle, leave } = createRig()
  const stopping = new AbortController()
  start('a', 'later')
  start('b', 'later')
  start('c', 'later', { signal: stopping.signal })
  start('d', 'later')
  await settle()
  stopping.abort()
  start('e', 'later', { signal: stopping.signal })
  leave('a')
  await settle()
  expect(started).toEqual(['a', 'b', 'd'])
})

test('where both wait they take turns, so what nobody waits for is not put off for ever', async () => {
  const { started, start, settle, leave } = createRig()
  for (const name of ['a', 'b', 's1', 's2', 's3', 's4']) start(name, 'soon')
  for (const name of ['l1', 'l2']) start(name, 'later')
  await settle()
  for (let i = 0; i < 6; i++) {
    leave(started[i]!)
    await settle()
  }
  expect(started).toEqual(['a', 'b', 'l1', 's1', 'l2', 's2', 's3', 's4'])
})

test('owners take turns, however many of one wait', async () => {
  const { started, start, settle, leave } = createRig()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) start(name, 'soon', { owner: 'ann' })
  for (const name of ['b1', 'b2']) start(name, 'soon', { owner: 'bob' })
  start('c1', 'soon', { owner: 'cem' })
  await settle()
  for (let i = 0; i < 6; i++) {
    leave(started[i]!)
    await settle()
  }
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'])
})
