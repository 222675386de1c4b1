import { expect, test } from 'vitest'
import { once } from './once.ts'

test('what acts once acts at the first call, and answers the same at the next', () => {
  let calls = 0
  const count = once(() => ++calls)
  expect(calls).toBe(0)
  expect([count(), count()]).toEqual([1, 1])
  expect(calls).toBe(1)
})

test('a call from within is a later one', () => {
  const events: string[] = []
  const release = once((): void => {
    events.push('released')
    release()
  })
  release()
  expect(events).toEqual(['released'])
})
