import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isOwnAddress, localIpv6, localRanges } from './own-addresses.ts'

test('loopback and the addresses of every interface are ours, others are not', () => {
  const own = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  for (const { address } of own) expect(isOwnAddress(address), address).toBe(true)
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1'])
    expect(isOwnAddress(address), address).toBe(true)
  for (const address of ['198.51.100.7', '2001:db8::7', 'localhost', '']) expect(isOwnAddress(address)).toBe(false)
})

test('what the kernel takes for itself is read from its table, interfaces without a carrier and whole ranges included', () => {
  const trie = `Local:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 10.8.0.0/16 2 0 2
        |-- 10.8.0.0
           /16 host LOCAL
     |-- 172.17.0.1
        /32 host LOCAL
     |-- 172.17.255.255
        /32 link BROADCAST
`
  expect(localRanges(trie)).toEqual(['10.8.0.0/16', '172.17.0.1/32'])
  expect(localRanges('')).toEqual([])
})

test('IPv6 likewise', () => {
  const table = `fe8000000000000000fc00fffe000001 04 40 20 80     eth0
fd000000000000000000000000000002 04 40 00 82     eth0
`
  expect(localIpv6(table)).toEqual(['fe80::fc:ff:fe00:1', 'fd00::2'])
  expect(localIpv6('')).toEqual([])
})
