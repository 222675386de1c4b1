import { expect, test } from 'vitest'
import { joinSmall } from './join-small.ts'

const of = (bytes: number, fill: number) => Buffer.alloc(bytes, fill)

test('small buffers are joined, large ones stay the same, and all in order', () => {
  const large = of(20_000, 3)
  const buffers = [of(10, 1), of(20, 2), large, of(30, 4), of(40, 5)]
  const joined = joinSmall(buffers)
  expect(joined.map(({ length }) => length)).toEqual([30, 20_000, 70])
  expect(joined[1]).toBe(large)
  expect(Buffer.concat(joined).equals(Buffer.concat(buffers))).toBe(true)
})

test('what is joined has a size that memory finds easily', () => {
  const buffers = Array.from({ length: 10_000 }, (_, i) => of(100, i))
  const joined = joinSmall(buffers)
  expect(joined.every(({ length }) => length <= 65_536)).toBe(true)
  expect(joined).toHaveLength(16)
  expect(Buffer.concat(joined).equals(Buffer.concat(buffers))).toBe(true)
})
