import { expect, test } from 'vitest'
import { sizeWords } from './size-words.ts'

test('sizes are told in megabytes, and large ones in gigabytes', () => {
  expect([0, 1_250_000, 999_000_000, 24_500_000_000].map(sizeWords)).toEqual([
    '0.0 MB',
    '1.3 MB',
    '999.0 MB',
    '24.5 GB',
  ])
})
