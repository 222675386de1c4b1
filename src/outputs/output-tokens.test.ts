import { expect, test } from 'vitest'
import { createLinkSigner } from '../core/signed-token.ts'
import { createOutputTokens } from './output-tokens.ts'

test('a token names its output, and only as we made it', () => {
  const tokens = createOutputTokens(createLinkSigner('secret'))
  const token = tokens.issue('one')
  expect(tokens.outputOf(token)).toBe('one')
  expect(tokens.outputOf(token.replace('one', 'two'))).toBeUndefined()
  expect(tokens.outputOf('ot_one')).toBeUndefined()
  expect(tokens.outputOf('')).toBeUndefined()
  expect(createOutputTokens(createLinkSigner('another')).outputOf(token)).toBeUndefined()
})
