import { expect, test } from 'vitest'
import { createOutboundPolicy, isCidr } from './outbound.ts'

const byDefault = createOutboundPolicy({ deny: [], allow: [] })

test.each([
  ['192.168.1.20', true],
  ['127.0.0.1', true],
  ['8.8.8.8', true],
  ['2001:db8::1', true],
  ['169.254.169.254', false],
  ['::ffff:169.254.169.254', false],
  ['[fe80::1]', false],
  ['168.63.129.16', false],
  ['192.0.0.192', false],
  ['fd20:ce::254', false],
  ['::ffff:a9fe:a9fe', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['2002:a9fe:a9fe::1', false],
  ['::a9fe:a9fe', false],
  ['64:ff9b::808:808', true],
  ['::1', true],
  ['fd00:ec2::254', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['camera.local', false],
])('by default %s may be called: %s', (address, allowed) => expect(byDefault.isAllowed(address)).toBe(allowed))

test('the operator denies and allows', () => {
  const policy = createOutboundPolicy({ deny: ['10.0.0.0/8'], allow: ['10.1.0.0/16', '169.254.7.7'] })
  expect(['10.2.0.1', '10.1.0.1', '169.254.7.7', '169.254.7.8'].map((address) => policy.isAllowed(address))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['ten', false],
])('%s is a range: %s', (text, expected) => expect(isCidr(text)).toBe(expected))
