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

test('every address of our own is told a second time, by TCP and less liked', () => {
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
