import { expect, test } from 'vitest'
import { digestHa1, isDigestProofOf } from './digest.ts'

// The example of RFC 2617 §3.5.
const ha1 = digestHa1('Mufasa', 'testrealm@host.com', 'Circle Of Life')
const proof = {
  method: 'GET',
  uri: '/dir/index.html',
  nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
  response: '6629fae49393a05397450978507c4ef1',
  qop: { nonceCount: '00000001', clientNonce: '0a4f113b' },
}

test('the example of the RFC is a proof', () => expect(isDigestProofOf(ha1, proof)).toBe(true))

test('without qop the shorter sum counts (RFC 2069)', () => {
  expect(isDigestProofOf(ha1, { ...proof, qop: undefined, response: '670fd8c2df070c60b045671b8b24ff02' })).toBe(true)
})

test.each([
  { response: '0'.repeat(32) },
  { response: '' },
  { response: 'ü'.repeat(32) },
  { method: 'POST' },
  { uri: '/other' },
  { nonce: 'other' },
])('%j is none', (change) => expect(isDigestProofOf(ha1, { ...proof, ...change })).toBe(false))
