import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildPacket } from './packet.ts'
import { createReorderBuffer } from './reorder-buffer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const packet = (sequenceNumber: number, ssrc = 1) =>
  buildPacket({ payloadType: 96, sequenceNumber, timestamp: 0, ssrc, marker: false })

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
  ['a sender that begins anew further back', [30_000, 30_001, 100, 101], [30_000, 30_001, 100, 101]],
])('%s', (_how, sent, expected) => {
  const { delivered, push } = setUp()
  push(...sent)
  expect(delivered).toEqual(expected)
})

test('another sender is never late, and what waits of the one before is forgotten', () => {
  const { buffer, delivered, push } = setUp()
  push(500, 502)
  buffer.push(packet(498, 2))
  buffer.push(packet(499, 2))
  vi.advanceTimersByTime(51)
  expect(delivered).toEqual([500, 498, 499])
})

describe('what is missing', () => {
  function setUpAsking(options: { maxPackets?: number } = {}) {
    const asked: (readonly number[])[] = []
    const buffer = createReorderBuffer({ deliver: () => {}, onMissing: (numbers) => asked.push(numbers), ...options })
    return { buffer, asked, push: (...numbers: number[]) => numbers.forEach((n) => buffer.push(packet(n))) }
  }

  test('is asked for once, around the end of the count', () => {
    const { buffer, asked, push } = setUpAsking()
    push(65_533, 1, 2)
    expect(asked).toEqual([[65_534, 65_535, 0]])
    push(4)
    expect(asked.slice(1)).toEqual([[3]])
    push(65_535, 0, 65_534, 3, 5)
    expect(asked).toHaveLength(2)
    buffer.close()
  })

  test('is not asked for when it was only late', () => {
    const { asked, push } = setUpAsking()
    push(1, 2, 2, 1, 3)
    expect(asked).toEqual([])
  })

  test('is asked for behind a gap that was given up', () => {
    const { buffer, asked, push } = setUpAsking({ maxPackets: 1 })
    push(1, 3, 4, 6)
    expect(asked).toEqual([[2], [5]])
    buffer.close()
  })

  test('is asked for up to a bound, and not at all of a sender that begins anew', () => {
    const { buffer, asked, push } = setUpAsking()
    push(1, 500)
    expect(asked).toEqual([Array.from({ length: 64 }, (_, index) => 2 + index)])
    push(30_000, 30_001)
    expect(asked).toHaveLength(1)
    buffer.close()
  })
})

test('a lost packet is waited for, then given up', () => {
  const { delivered, push } = setUp()
  push(1, 3, 4, 6)
  expect(delivered).toEqual([1])
  vi.advanceTimersByTime(51)
  expect(delivered).toEqual([1, 3, 4])
  vi.advanceTimersByTime(51)
  expect(delivered).toEqual([1, 3, 4, 6])
})

test('a packet that came while the process stood still is not given up', async () => {
  vi.useRealTimers()
  const { port1, port2 } = new MessageChannel()
  const { buffer, delivered, push } = setUp()
  push(1, 3)
  port1.on('message', () => push(2))
  port2.postMessage('packet')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
  await vi.waitFor(() => expect(delivered).toEqual([1, 2, 3]))
  buffer.close()
  port1.close()
  vi.useFakeTimers()
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
      vi.advanceTimersByTime(51 * 300)
      const steps = delivered.slice(1).map((number, index) => (number - delivered[index]!) & 0xffff)
      expect(steps.every((step) => step > 0 && step < 0x8000)).toBe(true)
      buffer.close()
    }),
  )
})
