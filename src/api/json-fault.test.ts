import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

const QUOTES = 'use double quotes for names and texts.'
const BEFORE = 'look for a missing quote, comma or bracket before it.'
const EARLY = 'it ends too early; close every quote and bracket.'

test.each([
  ["{'alias': 'x'}", `character 2 is wrong there: ${QUOTES}`],
  ['{"alias": \'x\'}', `character 11 is wrong there: ${QUOTES}`],
  ['{alias: 1}', `character 2 is wrong there; ${BEFORE}`],
  [
    '{"a": true, "b": yes, "c": "a text that makes it longer than the engine shows"}',
    `character 18 is wrong there; ${BEFORE}`,
  ],
  ['{"a": trux}', `character 10 is wrong there; ${BEFORE}`],
  ['alias', `character 1 is wrong there; ${BEFORE}`],
  ['{"a": 1 "b": 2}', `character 9 is wrong there; ${BEFORE}`],
  ['{"a": 1}}', `character 9 is wrong there; ${BEFORE}`],
  ['{"a": 1,}', `character 9 is wrong there; ${BEFORE}`],
  ['{"a": "x', EARLY],
  ['{"a": 1', EARLY],
  ['[', EARLY],
  ['['.repeat(200_000) + 'x', 'look for a missing quote, comma or bracket.'],
])('of %s it says: %s', (text, sentence) => {
  let fault: Error | undefined
  try {
    JSON.parse(text)
  } catch (error) {
    fault = error as Error
  }
  expect(jsonFault(text, fault!)).toBe(sentence)
})
