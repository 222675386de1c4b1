import { expect, test } from 'vitest'
import { stunRequest } from '../../../test/builders/stun-request.ts'
import { isStun, sessionNamedBy } from './stun.ts'

const request = stunRequest('ours:theirs', 'a password of at least 22')

test('a request says which session it means, wherever that stands', () => {
  expect(sessionNamedBy(request)).toBe('ours')
  const other = Buffer.from('8022000561657269650000000006000178000000', 'hex')
  expect(sessionNamedBy(Buffer.concat([request.subarray(0, 20), other]))).toBe('x')
})

test('whatever is no request of a session says none', () => {
  const answer = Buffer.from(request)
  answer.writeUInt16BE(0x0101)
  expect(isStun(answer)).toBe(true)
  for (const packet of [answer, request.subarray(0, 20), request.subarray(0, 30), Buffer.alloc(40, 0x80), Buffer.of()])
    expect(sessionNamedBy(packet)).toBeUndefined()
})

test.each([
  ['DTLS', 22],
  ['RTP', 128],
])('%s is distinguished from STUN', (_name, firstByte) => {
  const packet = Buffer.from(request)
  packet[0] = firstByte
  expect(isStun(packet)).toBe(false)
})
