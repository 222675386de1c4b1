import { expect, test } from 'vitest'
import { brokerComplaint } from './mqtt-client.ts'

test.each([
  ['connect ECONNREFUSED 127.0.0.1:1883', 'ECONNREFUSED', 'The broker b cannot be reached. Connection refused.'],
  [
    'connect EADDRNOTAVAIL 127.0.0.1:1883',
    'EADDRNOTAVAIL',
    'The broker b cannot be reached. The connection failed: EADDRNOTAVAIL.',
  ],
  ['Connection refused: Not authorized.', 5, 'The broker b says: Connection refused: Not authorized.'],
  [
    'certificate has expired',
    'CERT_HAS_EXPIRED',
    'The broker b cannot be trusted. Its certificate is not trusted: certificate has expired. Have it renewed.',
  ],
  [
    'Host: b. is not in the cert’s altnames: DNS:c',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'The broker b cannot be trusted. Its certificate is not trusted: Host: b. is not in the cert’s altnames: DNS:c.',
  ],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'start the service with NODE_EXTRA_CA_CERTS='],
])('%s becomes a sentence', (message, code, sentence) => {
  expect(brokerComplaint('b', Object.assign(new Error(message), { code }))).toContain(sentence)
})
