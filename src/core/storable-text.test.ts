import { expect, test } from 'vitest'
import { findUnstorable } from './storable-text.ts'

const half = '\ud83d'

test.each([
  ['a text', 'ä €\u{1f681} \u0001 \uffff', []],
  ['NUL', 'a\0b', [[]]],
  ['half of a pair', `a${half}`, [[]]],
  ['the wrong half first', '\ude81\ud83d', [[]]],
  ['within fields and lists', { alias: 'x\0', list: ['a', { b: half }] }, [['list', '1', 'b'], ['alias']]],
  ['the name of a field', { config: { 'a\0': 1 } }, [['config', 'a\0']]],
  ['numbers and the like', { a: 1, b: null, c: true, d: undefined, e: Buffer.alloc(3) }, []],
])('%s', (_name, value, paths) => expect(findUnstorable(value, 100)).toEqual(paths))

test('no more are looked for than are told', () => {
  expect(findUnstorable(Array<string>(1_000).fill('\0'), 3)).toHaveLength(3)
})

test('what is nested deeper than a stack is, is looked at too', () => {
  let nested: unknown = '\0'
  for (let depth = 0; depth < 200_000; depth++) nested = [nested]
  expect(findUnstorable(nested, 1)[0]).toHaveLength(200_000)
})
