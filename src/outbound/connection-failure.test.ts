import { expect, test } from 'vitest'
import { connectionFailure, connectionFailureKind } from './connection-failure.ts'

const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  ['ECONNREFUSED', 'refused', 'Connection refused.'],
  ['ECONNRESET', 'broken-off', 'The connection was broken off.'],
  ['ETIMEDOUT', 'timed-out', 'Connection timed out.'],
  ['ENETUNREACH', 'no-route', 'There is no route to the host.'],
  ['EPROTO', 'not-tls', 'It does not speak TLS; check the port.'],
  ['EADDRNOTAVAIL', 'other', 'The connection failed: EADDRNOTAVAIL.'],
  ['E2BIG', 'other', 'The connection failed: E2BIG.'],
])('%s is %s, and its sentence has no address', (code, kind, sentence) => {
  const error = errorOf(code, `connect ${code} 192.0.2.7:554`)
  expect(connectionFailureKind(error)).toBe(kind)
  expect(connectionFailure(error)).toBe(sentence)
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'start the service with NODE_EXTRA_CA_CERTS='],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', 'start the service with NODE_EXTRA_CA_CERTS='],
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate has expired. Have it renewed.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Host: a is not in: b',
    'Host: a is not in: b. Call the host by a name that is in it.',
  ],
  ['CERT_REVOKED', 'certificate revoked', 'Its certificate is not trusted: certificate revoked.'],
])('%s is about the certificate, with the advice that helps', (code, message, sentence) => {
  expect(connectionFailureKind(errorOf(code, message))).toBe('untrusted')
  expect(connectionFailure(errorOf(code, message))).toContain(sentence)
})

test('what is no error of a connection keeps its words', () => {
  expect(connectionFailure(errorOf('ERR_STRANGE', 'Something else.'))).toBe('The connection failed: Something else.')
  expect(connectionFailureKind({ message: 'Not authorized', code: 5 })).toBe('other')
})
