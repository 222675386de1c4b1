import { expect, test } from 'vitest'
import { createOwnerLine } from './owner-line.ts'

test('owners take turns, and their own come in order', () => {
  const line = createOwnerLine<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) line.push(item[0]!, item)
  line.remove('b', 'b1')
  line.remove('b', 'b1')
  expect(line.size).toBe(5)
  const order = [line.shift(), line.shift()]
  line.push('d', 'd1')
  while (line.size > 0) order.push(line.shift())
  expect(order).toEqual(['a1', 'b2', 'c1', 'a2', 'd1', 'a3'])
  expect(line.shift()).toBeUndefined()
})

test('ten thousand of one owner do not stand before the first of another', () => {
  const line = createOwnerLine<number, unknown>()
  for (let i = 0; i < 10_000; i++) line.push(undefined, i)
  line.push('b', -1)
  expect([line.shift(), line.shift(), line.shift()]).toEqual([0, -1, 1])
})
