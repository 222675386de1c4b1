import { expect, test } from 'vitest'
import { readBrokerAddress } from './broker-address.ts'
import { toDestination } from './destinations.ts'
import { isMaskLeft, maskOutput, Output, withKeptSecrets } from './output.schema.ts'

test.each([
  ['broker', { host: 'broker', port: 1883, tls: false }],
  ['10.0.0.7:1884', { host: '10.0.0.7', port: 1884, tls: false }],
  ['broker.example.org:80', { host: 'broker.example.org', port: 80, tls: false }],
  ['mqtt://broker', { host: 'broker', port: 1883, tls: false }],
  ['mqtts://broker/', { host: 'broker', port: 8883, tls: true }],
  ['MQTTS://broker:443', { host: 'broker', port: 443, tls: true }],
  ['[::1]:1883', { host: '::1', port: 1883, tls: false }],
  ['mqtt://u:p%40ss@broker', { host: 'broker', port: 1883, tls: false, username: 'u', password: 'p@ss' }],
])('%s', (text, address) => expect(readBrokerAddress(text)).toEqual(address))

test.each([
  '',
  ' ',
  ':1883',
  'http://broker',
  'ws://broker',
  'mqtt://',
  'broker:99999',
  'broker:0',
  'broker/topic',
  'u:p@broker',
  'mqtt://%zz:x@broker',
  'a b',
])(
  // prettier-ignore
  '"%s" is refused with a sentence',
  (text) => expect(readBrokerAddress(text)).toEqual({ problem: expect.any(String) as string }),
)

const parse = (config: object, type = 'mqtt') => Output.parse({ type, config })

test('an output becomes a destination; its own user is meant more than the one in the address', () => {
  expect(toDestination(parse({ host: 'mqtts://a:b@broker', topic: 't', username: 'u', retain: true }))).toEqual({
    kind: 'mqtt',
    host: 'broker',
    port: 8883,
    tls: true,
    topic: 't',
    username: 'u',
    password: 'b',
    qos: 1,
    retain: true,
  })
  expect(toDestination(parse({ url: 'https://x/y' }, 'webhook'))).toEqual({ kind: 'webhook', url: 'https://x/y' })
})

test('secrets are masked, and stay when the mask is sent back', () => {
  const known = [
    parse({ host: 'mqtt://a:b@broker', topic: 't', password: 'secret' }),
    parse({ url: 'https://u:p@x/y?token=abc' }, 'webhook'),
  ]
  const shown = known.map(maskOutput)
  expect(JSON.stringify(shown)).not.toMatch(/secret|:b@|:p@|abc/)
  expect(withKeptSecrets([...shown].reverse(), known)).toEqual([...known].reverse())
  const changed = parse({ ...shown[0]!.config, topic: 'other' })
  expect(withKeptSecrets([changed], known)).toEqual([changed])
  expect(isMaskLeft(changed)).toBe(true)
  expect(known.some(isMaskLeft)).toBe(false)
})
