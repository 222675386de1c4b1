import { expect, test } from 'vitest'
import { withHosts, withoutDenied, withTcp } from './candidates.ts'

const lines = (...texts: string[]) => texts.map((text) => `a=${text}\r\n`).join('')
const own = 'candidate:1 1 UDP 2114977791 192.0.2.2 8189 typ host'

test('advertised addresses come before those that were found', () => {
  expect(withHosts(lines('mid:0', own, 'end-of-candidates'), ['198.51.100.7'], 8189)).toBe(
    lines('mid:0', 'candidate:aerie0 1 UDP 2130706431 198.51.100.7 8189 typ host', own, 'end-of-candidates'),
  )
  expect(withHosts(lines(own), [], 8189)).toBe(lines(own))
})

test('every address of our own is listed a second time, by TCP and less liked', () => {
  const mapped = 'candidate:2 1 UDP 1678768127 198.51.100.7 8189 typ srflx raddr 0.0.0.0 rport 0'
  expect(withTcp(lines(own, mapped, 'end-of-candidates'), 8190)).toBe(
    lines(
      own,
      'candidate:aerietcp0 1 TCP 1518280447 192.0.2.2 8190 typ host tcptype passive',
      mapped,
      'end-of-candidates',
    ),
  )
})

test('addresses that may not be called, and names, are left out of an offer', () => {
  const allowed = 'candidate:1 1 udp 2113937151 192.0.2.20 5000 typ host'
  const offer = lines(
    'ice-ufrag:x',
    allowed,
    'candidate:2 1 udp 2113937151 169.254.169.254 80 typ host',
    'Candidate:3 1 UDP 2113937151 169.254.169.254 80 typ host',
    'candidate:4 1 udp 2113937151 evil.example 80 typ host',
    'candidate:5 1 udp 2113937151 9c1f.local 5000 typ host',
    'candidate:6',
    'mid:0',
  )
  const isAllowed = (address: string, port: number) => address === '192.0.2.20' && port === 5000
  expect(withoutDenied(offer, isAllowed)).toBe(lines('ice-ufrag:x', allowed, 'mid:0'))
})

test.each([
  'candidate:1\u00a01\u00a0UDP\u00a01\u00a08.8.8.8\u00a09 1 UDP 2130706431 169.254.169.254 80 typ host',
  'candidate:1\ufeff1 1 UDP 2130706431 169.254.169.254 80 typ host',
  'candidate:1 1 UDP 2130706431 8.8.8.8\u16809 169.254.169.254 80 typ host',
  'candidate:1  1 UDP 2130706431 169.254.169.254 80 typ host',
  'candidate:1\t1 UDP 2130706431 169.254.169.254 80 typ host',
  ' candidate:1 1 UDP 2130706431 169.254.169.254 80 typ host',
  'candidate:1 1 UDP 2130706431 localhost 80 typ host',
  'candidate:1 1 UDP 1 192.0.2.20 5000\r169.254.169.254 80 typ host',
  'remote-candidates:1 169.254.169.254 80',
])('%j is not to the letter, and goes', (text) => {
  expect(withoutDenied(lines('mid:0', text), (address) => address !== '169.254.169.254')).toBe(lines('mid:0'))
})

test.each([
  'candidate:842163049 1 udp 1677729535 192.0.2.20 46154 typ srflx raddr 10.0.0.17 rport 46154 generation 0 network-cost 999',
  'candidate:0 1 UDP 2122187007 2001:db8::7 40678 typ host',
  'candidate:4 1 TCP 2105524479 192.0.2.20 9 typ host tcptype active',
  'candidate:a/b+ 2 udp 1 192.0.2.20 1 typ host',
  'end-of-candidates',
])('%s of a browser stays', (text) => {
  expect(withoutDenied(lines('mid:0', text), () => true)).toBe(lines('mid:0', text))
})
