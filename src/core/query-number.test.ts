import { expect, test } from 'vitest'
import { z } from 'zod'
import { queryNumber } from './query-number.ts'

const limit = queryNumber(z.coerce.number().int().min(0)).optional()

test.each([
  ['5', 5],
  ['0', 0],
  [undefined, undefined],
])('%j is %j', (text, value) => expect(limit.parse(text)).toBe(value))

test.each(['', ' ', 'x', '-1'])('%j is no number of these', (text) => expect(limit.safeParse(text).success).toBe(false))
