import { expect, test } from 'vitest'
import { buildPacket, parseHeader } from '../rtp/packet.ts'
import { createIncomingOrder } from './incoming-order.ts'

function createRig(options = {}) {
  const out: number[] = []
  const order = createIncomingOrder({
    deliver: (packet) => void out.push(parseHeader(packet)!.sequenceNumber),
    ...options,
  })
  const push = (number: number, nowMs = 0) =>
    order.push(buildPacket({ payloadType: 96, sequenceNumber: number, timestamp: 0, ssrc: 1, marker: false }), nowMs)
  return { out, order, push }
}

test('packets in order pass, around the end of the count', () => {
  const { out, push } = createRig()
  for (const number of [65_534, 65_535, 0, 1]) expect(push(number)).toEqual([])
  expect(out).toEqual([65_534, 65_535, 0, 1])
})

test('a gap is asked for once, and filled', () => {
  const { out, push } = createRig()
  push(65_533)
  expect(push(1)).toEqual([65_534, 65_535, 0])
  expect(push(2)).toEqual([])
  expect(push(4)).toEqual([3])
  for (const number of [65_535, 0, 65_534]) expect(push(number)).toEqual([])
  expect(out).toEqual([65_533, 65_534, 65_535, 0, 1, 2])
  push(3)
  expect(out.slice(-2)).toEqual([3, 4])
})

test('a gap that stays is passed over when its time is up', () => {
  const { out, order, push } = createRig({ maxWaitMs: 100 })
  push(1)
  push(3, 50)
  order.flush(140)
  expect(out).toEqual([1])
  order.flush(150)
  expect(out).toEqual([1, 3])
})

test('no more packets wait than there may', () => {
  const { out, push } = createRig({ maxWaiting: 3 })
  push(1)
  for (const number of [3, 4, 5, 6]) push(number)
  expect(out).toEqual([1, 3, 4, 5, 6])
})

test('what comes twice or late is dropped, and a new count is taken', () => {
  const { out, push } = createRig()
  for (const number of [10, 10, 9, 11, 30_000, 30_001]) push(number)
  expect(out).toEqual([10, 11, 30_000, 30_001])
})
