import { expect, test } from 'vitest'
import { brokerComplaint } from './mqtt-client.ts'

test.each([
  ['connect ECONNREFUSED 127.0.0.1:1883', 'ECONNREFUSED', 'The broker b says: connect ECONNREFUSED 127.0.0.1:1883.'],
  ['Connection refused: Not authorized.', 5, 'The broker b says: Connection refused: Not authorized.'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'start the service with NODE_EXTRA_CA_CERTS='],
])('%s becomes a sentence', (message, code, sentence) => {
  expect(brokerComplaint('b', Object.assign(new Error(message), { code }))).toContain(sentence)
})
