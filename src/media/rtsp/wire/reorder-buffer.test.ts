import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildPacket } from '../../rtp/packet.ts'
import { createReorderBuffer } from './reorder-buffer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const packet = (sequenceNumber: number) =>
  buildPacket({ payloadType: 96, sequenceNumber, timestamp: 0, ssrc: 1, marker: false })

function setUp(options: { maxPackets?: number } = {}) {
  const delivered: number[] = []
  const deliver = (data: Buffer) => void delivered.push(data.readUInt16BE(2))
  const buffer = createReorderBuffer({ deliver, maxWaitMs: 50, ...options })
  return { buffer, delivered, push: (...numbers: number[]) => numbers.forEach((n) => buffer.push(packet(n))) }
}

test.each([
  ['in order', [1, 2, 3], [1, 2, 3]],
  ['swapped', [1, 3, 2, 4], [1, 2, 3, 4]],
  ['a late one among many', [1, 3, 4, 5, 2, 6], [1, 2, 3, 4, 5, 6]],
  ['across the wrap', [65_534, 0, 65_535, 1], [65_534, 65_535, 0, 1]],
  ['twice', [1, 2, 2, 1, 3], [1, 2, 3]],
  ['twice while waiting', [1, 3, 3, 2], [1, 2, 3]],
  ['a sender that begins anew', [100, 101, 30_000, 30_001], [100, 101, 30_000, 30_001]],
])('%s', (_how, sent, expected) => {
  const { delivered, push } = setUp()
  push(...sent)
  expect(delivered).toEqual(expected)
})

test('a lost packet is waited for, then given up', () => {
  const { delivered, push } = setUp()
  push(1, 3, 4, 6)
  expect(delivered).toEqual([1])
  vi.advanceTimersByTime(50)
  expect(delivered).toEqual([1, 3, 4])
  vi.advanceTimersByTime(50)
  expect(delivered).toEqual([1, 3, 4, 6])
})

test('never more wait than the window holds', () => {
  const { buffer, delivered, push } = setUp({ maxPackets: 3 })
  push(1, 3, 4, 5)
  expect(delivered).toEqual([1])
  push(6)
  expect(delivered).toEqual([1, 3, 4, 5, 6])
  buffer.close()
})

test('closing forgets what waits', () => {
  const { buffer, delivered, push } = setUp()
  push(1, 3)
  buffer.close()
  vi.advanceTimersByTime(100)
  expect(delivered).toEqual([1])
})

test('whatever order they come in, they leave in order and once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 200 }), fc.nat(0xffff), (offsets, base) => {
      const { buffer, delivered, push } = setUp({ maxPackets: 16 })
      push(base, ...offsets.map((offset) => (base + offset) & 0xffff))
      vi.advanceTimersByTime(50 * 300)
      const steps = delivered.slice(1).map((number, index) => (number - delivered[index]!) & 0xffff)
      expect(steps.every((step) => step > 0 && step < 0x8000)).toBe(true)
      buffer.close()
    }),
  )
})
