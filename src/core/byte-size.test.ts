import { expect, test } from 'vitest'
import { parseByteSize } from './byte-size.ts'

test.each([
  ['1024', 1024],
  ['20GB', 20 * 2 ** 30],
  ['1.5 mb', 1.5 * 2 ** 20],
  ['2T', 2 ** 41],
  ['much', undefined],
  ['-5GB', undefined],
])('%s is %s bytes', (text, bytes) => expect(parseByteSize(text)).toBe(bytes))
