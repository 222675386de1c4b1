import { expect, test } from 'vitest'
import { asSentence } from './as-sentence.ts'

test.each([
  ['connection refused', 'connection refused.'],
  ['Connection refused.', 'Connection refused.'],
  ['is that a camera?', 'is that a camera?'],
  ['', ''],
])('“%s” is “%s”', (text, sentence) => expect(asSentence(text)).toBe(sentence))
