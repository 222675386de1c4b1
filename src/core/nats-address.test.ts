import { expect, test } from 'vitest'
import { parseNatsUrl } from './nats-address.ts'

test.each([
  { url: 'nats://nats.local', address: { servers: ['nats.local:4222'], isTlsRequired: false } },
  { url: 'tls://nats.local:5222', address: { servers: ['nats.local:5222'], isTlsRequired: true } },
  { url: 'nats://[::1]:4222', address: { servers: ['[::1]:4222'], isTlsRequired: false } },
  { url: 'nats://s3cret@a:1', address: { servers: ['a:1'], isTlsRequired: false, token: 's3cret' } },
  {
    url: 'nats://aerie:1234%40x@a:1, nats://b:2,nats://aerie:1234%40x@c:3',
    address: { servers: ['a:1', 'b:2', 'c:3'], isTlsRequired: false, user: 'aerie', password: '1234@x' },
  },
])('$url', ({ url, address }) => expect(parseNatsUrl(url)).toEqual(address))

test.each([
  '',
  'nats.local:4222',
  'http://nats.local',
  'nats://',
  'nats://hidden:pass/word@host',
  'nats://hidden:100%@host',
  'nats://a:hidden@host,nats://b:hidden2@host',
  'nats://hidden@host/path',
  'nats://host,,nats://other',
])('%s is refused, without a word of it', (url) => {
  expect(() => parseNatsUrl(url)).toThrow(/NATS/)
  expect(() => parseNatsUrl(url)).not.toThrow(/hidden/)
})
