import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createServerHandshake } from './handshake.ts'

const C1 = randomBytes(1536)
const C2 = randomBytes(1536)
const ALL = Buffer.concat([Buffer.of(3), C1, C2, Buffer.from('rest')])

test('S2 repeats C1, and S1 has a version of zeros', () => {
  const { reply, rest } = createServerHandshake().push(ALL.subarray(0, 1537))
  expect(reply).toHaveLength(1 + 2 * 1536)
  expect(reply![0]).toBe(3)
  expect(reply!.readUInt32BE(5)).toBe(0)
  expect(reply!.subarray(1537)).toEqual(C1)
  expect(rest).toBeUndefined()
})

test('wherever the bytes are split, there is one reply and the same rest', () => {
  for (let at = 1; at < ALL.length; at += at > 1500 && at < 1600 ? 1 : 97) {
    const handshake = createServerHandshake()
    const steps = [handshake.push(ALL.subarray(0, at)), handshake.push(ALL.subarray(at))]
    expect(steps.filter(({ reply }) => reply)).toHaveLength(1)
    expect(steps.find(({ rest }) => rest)?.rest?.length).toBeLessThanOrEqual(4)
  }
})

test.each(['GET / HTTP/1.1', '\x06', '\x16\x03\x01'])('%j is not RTMP', (text) => {
  expect(() => createServerHandshake().push(Buffer.from(text))).toThrow('not RTMP')
})
