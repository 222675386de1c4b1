import { describe, expect, test } from 'vitest'
import { createOutboundPolicy } from './policy.ts'
import { OPERATOR_RULES, type OutboundRules } from './rules.ts'

/** 192.168.1.5 is one of this machine's addresses. */
const isOwn = (address: string) => ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '192.168.1.5'].includes(address)
const policyOf = (rules: Partial<OutboundRules>) => createOutboundPolicy({ ...OPERATOR_RULES, ...rules }, isOwn)
const child = { mayCallThisMachine: false, mediaPorts: [8554, 1935] }

describe('by default', () => {
  test.each([
    ['192.168.1.20', undefined],
    ['8.8.8.8', undefined],
    ['2001:db8::1', undefined],
    ['64:ff9b::808:808', undefined],
    ['169.254.169.254', 'denied'],
    ['::ffff:169.254.169.254', 'denied'],
    ['[fe80::1]', 'denied'],
    ['fe80::1%eth0', 'denied'],
    ['168.63.129.16', 'denied'],
    ['192.0.0.192', 'denied'],
    ['fd20:ce::254', 'denied'],
    ['::ffff:a9fe:a9fe', 'denied'],
    ['64:ff9b::a9fe:a9fe', 'denied'],
    ['2002:a9fe:a9fe::1', 'denied'],
    ['::a9fe:a9fe', 'denied'],
    ['fd00:ec2::254', 'denied'],
    ['0.0.0.0', 'denied'],
    ['224.0.0.1', 'denied'],
    ['camera.local', 'denied'],
    ['127.0.0.1', 'this-machine'],
    ['127.9.9.9', 'this-machine'],
    ['[::1]', 'this-machine'],
    ['::ffff:7f00:1', 'this-machine'],
    ['192.168.1.5', 'this-machine'],
    ['::ffff:192.168.1.5', 'this-machine'],
  ])('for a child key %s is %s', (address, denial) => expect(policyOf(child).denialOf(address)).toBe(denial))

  test.each([
    ['127.0.0.1', undefined],
    ['192.168.1.5', undefined],
    ['169.254.169.254', 'denied'],
  ])('for a master key %s is %s', (address, denial) =>
    expect(policyOf({ ...child, mayCallThisMachine: true }).denialOf(address)).toBe(denial),
  )
})

test('our own media server is dialled for nobody, whatever is allowed', () => {
  const allowed = policyOf({ mayCallThisMachine: true, allow: ['127.0.0.0/8', '192.168.0.0/16'], mediaPorts: [8554] })
  const judged = (address: string, port: number) => allowed.denialOf(address, port)
  expect([judged('127.0.0.1', 8554), judged('192.168.1.5', 8554), judged('::1', 8554)]).toEqual(
    Array(3).fill('own-media'),
  )
  expect([judged('127.0.0.1', 1883), judged('192.168.1.6', 8554)]).toEqual([undefined, undefined])
})

test('the operator denies and allows', () => {
  const policy = policyOf({ ...child, deny: ['10.0.0.0/8'], allow: ['10.1.0.0/16', '169.254.7.7', '127.0.0.1'] })
  const addresses = ['10.2.0.1', '10.1.0.1', '169.254.7.7', '169.254.7.8', '127.0.0.1', '127.9.9.9']
  expect(addresses.map((address) => policy.denialOf(address))).toEqual([
    'denied',
    undefined,
    undefined,
    'denied',
    undefined,
    'this-machine',
  ])
})
