import { expect, test } from 'vitest'
import { createNewest } from './newest.ts'

test('something is made once of each thing, though several ask; only of the newest it is remembered', () => {
  const made: string[] = []
  const get = createNewest(({ name }: { name: string }) => (made.push(name), { name }))
  const [first, second] = [{ name: 'first' }, { name: 'second' }]
  expect(get(first)).toBe(get(first))
  get(second)
  get(first)
  expect(made).toEqual(['first', 'second', 'first'])
})
