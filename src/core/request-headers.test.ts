import { expect, test } from 'vitest'
import { bearerOf, countHeader, textOf } from './request-headers.ts'

test.each([
  ['a', 'a'],
  ['', undefined],
  [['a', 'b'], undefined],
  [undefined, undefined],
])('of %j the text is %j', (value, text) => expect(textOf(value)).toBe(text))

test.each([
  ['Bearer ak_1', 'ak_1'],
  ['bearer ak_1', 'ak_1'],
  ['Bearer ak_1 ak_2', undefined],
  ['Basic ak_1', undefined],
  [undefined, undefined],
])('of %j the bearer is %j', (authorization, bearer) => expect(bearerOf({ authorization })).toBe(bearer))

test('a header is counted by its name in any case, and values are none', () => {
  const rawHeaders = ['Host', 'a', 'hOST', 'b', 'x', 'host']
  expect(countHeader(rawHeaders, 'host')).toBe(2)
  expect(countHeader(rawHeaders, 'api_key')).toBe(0)
})
