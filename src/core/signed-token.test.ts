import { expect, test } from 'vitest'
import { createLinkSigner } from './signed-token.ts'

const signer = createLinkSigner('secret')

test('a link opens what it was made for, until it expires', () => {
  const token = signer.sign('recording/1', 10_000)
  expect(signer.isValid('recording/1', token, 9_999)).toBe(true)
  expect(signer.isValid('recording/1', token, 10_000)).toBe(false)
  expect(signer.isValid('recording/2', token, 0)).toBe(false)
  expect(createLinkSigner('other').isValid('recording/1', token, 0)).toBe(false)
})

test.each(['', '.', 'x', 'zz.', `${(99).toString(36)}.aaaa`, 'ünïcode.ünïcode', `zz.${'é'.repeat(43)}`])(
  'nonsense opens nothing: %j',
  (token) => expect(signer.isValid('recording/1', token, 0)).toBe(false),
)

test('a longer life cannot be written into a link', () => {
  const [, signature] = signer.sign('recording/1', 10_000).split('.')
  expect(signer.isValid('recording/1', `zzzzzz.${signature}`, 0)).toBe(false)
})
