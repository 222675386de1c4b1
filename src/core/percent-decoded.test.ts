import { expect, test } from 'vitest'
import { percentDecoded } from './percent-decoded.ts'

test.each([
  ['p%40ss%2f', 'p@ss/'],
  ['caf%C3%A9', 'café'],
  ['a+b', 'a+b'],
  ['100%', '100%'],
  ['%zz%40', '%zz%40'],
  ['%ff', '%ff'],
])('%j is %j', (text, decoded) => expect(percentDecoded(text)).toBe(decoded))
