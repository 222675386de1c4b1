import { expect, test } from 'vitest'
import { withHosts, withTcp } from './candidates.ts'

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
