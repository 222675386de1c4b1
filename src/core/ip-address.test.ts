import { expect, test } from 'vitest'
import { createAddressSet, isCidr, plainAddress, withoutMapping } from './ip-address.ts'

test.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/', false],
  ['ten', false],
])('%s is a range: %s', (text, expected) => expect(isCidr(text)).toBe(expected))

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::FFFF:c000:201]', '192.0.2.1'],
  ['64:ff9b::c000:201', '192.0.2.1'],
  ['2002:c000:201::1', '192.0.2.1'],
  ['2001:0db8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['::', '::'],
  ['192.0.2.1', '192.0.2.1'],
  ['camera.local', 'camera.local'],
])('%s is %s', (written, plain) => expect(plainAddress(written)).toBe(plain))

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['64:ff9b::c000:201', '64:ff9b::c000:201'],
  ['::1', '::1'],
  ['', ''],
])('a socket means by %s %s', (written, plain) => expect(withoutMapping(written)).toBe(plain))

test('a set holds addresses however they are written, and nothing else', () => {
  const set = createAddressSet(['192.0.2.0/24', '2001:db8::/32'])
  const asked = ['192.0.2.7', '::ffff:192.0.2.7', '[2001:DB8::7]', '192.0.3.1', '2001:db9::1', 'camera.local', '']
  expect(asked.map((address) => set.has(address))).toEqual([true, true, true, false, false, false, false])
})
