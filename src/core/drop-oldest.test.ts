import { expect, test } from 'vitest'
import { dropOldest } from './drop-oldest.ts'

test('the entry that was added first goes when there is one too many', () => {
  const entries = new Map([
    ['b', 1],
    ['a', 2],
  ])
  dropOldest(entries, 2)
  expect([...entries.keys()]).toEqual(['b', 'a'])
  entries.set('c', 3)
  dropOldest(entries, 2)
  expect([...entries.keys()]).toEqual(['a', 'c'])
})

test('an entry that was set anew keeps its place; one that was deleted before is the newest', () => {
  const entries = new Set(['a', 'b'])
  entries.add('a')
  entries.delete('b')
  entries.add('b').add('c')
  dropOldest(entries, 2)
  expect([...entries]).toEqual(['b', 'c'])
})
