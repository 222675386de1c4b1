import { expect, test } from 'vitest'
import { StartQuery } from './processes.schema.ts'

const source_uuid = '00000000-0000-7000-8000-000000000001'

test.each([
  [undefined, undefined],
  ['0', 0],
  ['62.5', 62.5],
  ['100', 100],
])('a confidence of %s is %s', (confidence, expected) => {
  expect(StartQuery.parse({ source_uuid, confidence }).confidence).toBe(expected)
})

test.each(['', ' ', 'high', '-1', '100.1'])('a confidence of "%s" is none', (confidence) => {
  expect(StartQuery.safeParse({ source_uuid, confidence }).success).toBe(false)
})
