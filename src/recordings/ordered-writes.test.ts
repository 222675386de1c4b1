import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createOrderedWrites } from './ordered-writes.ts'

function createRig() {
  const clock = createFakeClock()
  const done: string[] = []
  const failures: string[] = []
  let isAway = false
  const writes = createOrderedWrites({ clock, onFailure: (error) => failures.push((error as Error).message) })
  async function write(what: string): Promise<void> {
    await Promise.resolve()
    if (isAway) throw new Error(`${what} failed`)
    done.push(what)
  }
  return {
    clock,
    done,
    failures,
    setAway: (value: boolean) => void (isAway = value),
    add: (what: string, key?: string) => writes.add(() => write(what), key),
    flush: () => writes.flush(),
  }
}

test('what fails is done again before what came after it, and one line is enough', async () => {
  const { clock, done, failures, setAway, add } = createRig()
  setAway(true)
  add('a')
  add('b')
  for (let i = 0; i < 3; i++) await clock.advance(1_000)
  expect(done).toEqual([])
  setAway(false)
  await clock.advance(1_000)
  expect(done).toEqual(['a', 'b'])
  expect(failures).toEqual(['a failed'])
})

test('of what has the same key the newest is done, in the place of the first', async () => {
  const { done, add, flush } = createRig()
  add('first')
  for (const size of [1, 2, 3]) add(`grown to ${size}`, 'grown')
  add('last')
  await flush()
  expect(done).toEqual(['first', 'grown to 3', 'last'])
})

test('what takes the place of what is being written is written too', async () => {
  const { done, add, flush } = createRig()
  add('grown to 1', 'grown')
  add('grown to 2', 'grown')
  await flush()
  expect(done).toEqual(['grown to 1', 'grown to 2'])
})

test('flushing fails at once where nothing can be written, and what waits is kept for the next time', async () => {
  const { done, setAway, add, flush } = createRig()
  setAway(true)
  add('a')
  add('b')
  await expect(flush()).rejects.toThrow('a failed')
  setAway(false)
  await flush()
  expect(done).toEqual(['a', 'b'])
})

test('what waits is bounded: more is refused, and something newer in the place of what waits is not', () => {
  const { setAway, add } = createRig()
  setAway(true)
  add('grown to 1', 'grown')
  const taken = Array.from({ length: 2_000 }, (_, index) => add(String(index)))
  expect(taken.filter(Boolean)).toHaveLength(1_499)
  expect(add('grown to 2', 'grown')).toBe(true)
})
