import { expect, test } from 'vitest'
import { createDeferred, type Deferred } from './deferred.ts'
import { forEachAtOnce } from './for-each-at-once.ts'

test('so many are under way, and the next begins when one is done', async () => {
  const begun: { readonly item: string; readonly done: Deferred<void> }[] = []
  const all = forEachAtOnce(['a', 'b', 'c'], 2, (item) => {
    const done = createDeferred()
    begun.push({ item, done })
    return done.promise
  })
  const items = () => begun.map(({ item }) => item)
  expect(items()).toEqual(['a', 'b'])
  begun[1]!.done.resolve()
  await begun[1]!.done.promise
  expect(items()).toEqual(['a', 'b', 'c'])
  begun[2]!.done.resolve()
  begun[0]!.done.resolve()
  await all
})

test('a failure is the caller’s', async () => {
  await expect(forEachAtOnce([1], 2, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
