import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createClientHandshake } from './handshake.ts'

const S1 = randomBytes(1536)
const ALL = Buffer.concat([Buffer.of(3), S1, randomBytes(1536), Buffer.from('rest')])

test('C1 has a version of zeros, and no two are the same', () => {
  const { greeting } = createClientHandshake()
  expect(greeting).toHaveLength(1537)
  expect(greeting[0]).toBe(3)
  expect(greeting.readUInt32BE(5)).toBe(0)
  expect(createClientHandshake().greeting.equals(greeting)).toBe(false)
})

test('C2 repeats S1 and is sent before S2 has come', () => {
  const { reply, rest } = createClientHandshake().push(ALL.subarray(0, 1537))
  expect(reply).toEqual(S1)
  expect(rest).toBeUndefined()
})

test('wherever the bytes are split, there is one reply and the same rest', () => {
  for (let at = 1; at < ALL.length; at++) {
    const handshake = createClientHandshake()
    const steps = [handshake.push(ALL.subarray(0, at)), handshake.push(ALL.subarray(at))]
    const replies = steps.flatMap(({ reply }) => reply ?? [])
    expect(replies.length === 1 && replies[0]!.equals(S1)).toBe(true)
    expect('rest'.startsWith(steps.find(({ rest }) => rest)!.rest!.toString())).toBe(true)
  }
})

test('what is no RTMP is found out with the first byte', () => {
  expect(() => createClientHandshake().push(Buffer.from('HTTP/1.1 400'))).toThrow('not RTMP')
})
