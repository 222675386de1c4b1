import { expect, test } from 'vitest'
import { inPattern } from './like-pattern.ts'

test.each([
  ['100%', '100\\%'],
  ['a_b', 'a\\_b'],
  ['a\\b', 'a\\\\b'],
  ['plain', 'plain'],
])('%s stands for itself in a pattern', (text, expected) => expect(inPattern(text)).toBe(expected))
