import { expect, test } from 'vitest'
import { memoizeLast } from './memoize-last.ts'

test('something is computed once for several callers; only the last result is remembered', () => {
  const made: string[] = []
  const get = memoizeLast(({ name }: { name: string }) => (made.push(name), { name }))
  const [first, second] = [{ name: 'first' }, { name: 'second' }]
  expect(get(first)).toBe(get(first))
  get(second)
  get(first)
  expect(made).toEqual(['first', 'second', 'first'])
})
