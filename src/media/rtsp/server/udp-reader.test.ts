import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildPacket } from '../../rtp/packet.ts'
import { type MediaPacket } from '../../stream.ts'
import { createUdpReader } from './udp-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const packet = (receivedAtMs: number, payloadBytes = 100, track = 0): MediaPacket => ({
  track,
  data: buildPacket(
    { payloadType: 96, sequenceNumber: receivedAtMs, timestamp: 0, ssrc: 7, marker: true },
    Buffer.alloc(payloadBytes),
  ),
  timestamp: 0,
  marker: true,
  startsKeyframe: false,
  receivedAtMs,
})

function setUp() {
  const sent: string[] = []
  const pair = {
    ports: [2, 3] as const,
    sendRtp: (data: Buffer) => void sent.push(`rtp ${data.readUInt16BE(2)}`),
    sendRtcp: (data: Buffer) => void sent.push(data[1] === 200 ? 'report' : 'bye'),
    setPeerPorts: () => {},
    close: () => {},
  }
  const reader = createUdpReader({ pairs: [pair, undefined], now: Date.now, onEnd: (reason) => void sent.push(reason) })
  return { reader, sent }
}

test('the beginning goes out at four times its pace, then packets leave as they come', () => {
  const { reader, sent } = setUp()
  for (const atMs of [0, 100, 200, 300]) reader.packet(packet(atMs))
  expect(reader.waiting()).toHaveLength(4)
  vi.advanceTimersByTime(30)
  expect(sent).toEqual(['rtp 0', 'rtp 100'])
  vi.advanceTimersByTime(50)
  expect(sent).toEqual(['rtp 0', 'rtp 100', 'rtp 200', 'rtp 300'])
  reader.packet(packet(333))
  expect(sent.at(-1)).toBe('rtp 333')
})

test('what came all at once does not leave all at once', () => {
  const { reader, sent } = setUp()
  for (let i = 0; i < 200; i++) reader.packet(packet(0, 1388))
  vi.advanceTimersByTime(5)
  expect(sent.length).toBeGreaterThan(40)
  expect(sent.length).toBeLessThan(60)
  vi.advanceTimersByTime(100)
  expect(sent).toHaveLength(200)
})

test.each([
  { name: 'before the first packet, which was announced', isAnnounced: true, opening: ['report', 'rtp 2'] },
  { name: 'behind one that was not', isAnnounced: false, opening: ['rtp 2', 'report'] },
])('reports go $name, and tracks that were not set up nowhere', ({ isAnnounced, opening }) => {
  const { reader, sent } = setUp()
  reader.report({ track: 0, timestamp: 1, wallClockMs: 1 })
  reader.packet(packet(1, 100, 1))
  reader.packet(packet(2))
  if (isAnnounced) reader.announce()
  vi.advanceTimersByTime(10)
  reader.report({ track: 0, timestamp: 2, wallClockMs: 2 })
  reader.end('publisher-left')
  reader.end('publisher-left')
  expect(sent).toEqual([...opening, 'report', 'bye', 'publisher-left'])
})

test('a stream faster than it can leave is given up', () => {
  const { reader } = setUp()
  for (let i = 0; i < 600; i++) reader.packet(packet(1e6 + i, 60_000))
  expect(reader.check(0)).toBe('too-many-bytes')
  reader.close()
})
