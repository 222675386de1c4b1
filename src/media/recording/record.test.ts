import { AV_PKT_DATA_PRFT, Packet } from 'node-av'
import { describe, expect, test } from 'vitest'
import { isSegmentFull, takenAt } from './record.ts'

describe('length of segments', () => {
  test.each([
    { name: 'by the stream’s time', streamMs: 60_000, passedMs: 59_000, isFull: true },
    { name: 'not before', streamMs: 59_000, passedMs: 60_000, isFull: false },
    { name: 'by ours, where the stream’s stands still', streamMs: 0, passedMs: 65_000, isFull: true },
    { name: 'never within a second', streamMs: 1e9, passedMs: 999, isFull: false },
  ])('a segment is full $name', ({ streamMs, passedMs, isFull }) =>
    expect(isSegmentFull({ streamMs, passedMs }, 60)).toBe(isFull),
  )
})

describe('the time of a segment', () => {
  const now = Date.UTC(2026, 0, 1)

  test.each([
    ['the sender’s clock dates it, in whole milliseconds', now - 3_000.4, now - 3_000],
    ['also one that is five minutes off, as it dates scenes', now - 300_000, now - 300_000],
    ['a clock that was never set does not', 0, now],
    ['without it, its arrival does', undefined, now],
  ])('%s', (_name, sentMs, takenAtMs) => {
    const packet = new Packet()
    packet.alloc()
    if (sentMs !== undefined) packet.addSideData(AV_PKT_DATA_PRFT, producerReferenceTime(sentMs))
    expect(takenAt(packet, now)).toBe(takenAtMs)
    packet.free()
  })
})

/** AVProducerReferenceTime: microseconds since 1970, and flags. */
function producerReferenceTime(ms: number): Buffer {
  const data = Buffer.alloc(16)
  data.writeBigInt64LE(BigInt(Math.round(ms * 1000)))
  return data
}
