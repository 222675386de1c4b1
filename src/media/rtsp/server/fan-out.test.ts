import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { type MediaPacket } from '../../stream.ts'
import { createChannels, createFanOut } from './fan-out.ts'

const packet = (track: number, ...bytes: number[]): MediaPacket => ({
  track,
  data: Buffer.from(bytes),
  timestamp: 0,
  marker: false,
  startsKeyframe: false,
  receivedAtMs: 0,
})

const fanOut = createFanOut(5)
afterEach(() => {
  vi.useRealTimers()
  fanOut.close()
})

test('packets stand behind their headers, and unwanted tracks are left out', () => {
  const frames = fanOut.frame([packet(0, 1, 2), packet(1, 3), packet(0, 4)], createChannels([6, -1]))
  expect(frames).toEqual(Buffer.from([0x24, 6, 0, 2, 1, 2, 0x24, 6, 0, 1, 4]))
})

test('readers with the same channels share one buffer; others get their own', async () => {
  const packets = [packet(0, 1), packet(0, 2)]
  const written: Buffer[] = []
  for (const channel of [0, 0, 2, 0, 2]) {
    const reader = { flush: () => void written.push(fanOut.frame([...packets], createChannels([channel]))) }
    fanOut.schedule(reader, true)
  }
  await turn()
  expect(new Set(written).size).toBe(2)
  expect(written[1]).toBe(written[0])
  expect(written[4]).toBe(written[2])
})

test('a reader that got one packet more gets a buffer of its own', () => {
  const [one, two] = [packet(0, 1), packet(0, 2)]
  const channels = createChannels([0])
  expect(fanOut.frame([one], channels)).toHaveLength(5)
  expect(fanOut.frame([one, two], channels)).toHaveLength(10)
  expect(fanOut.frame([], channels)).toHaveLength(0)
})

test('a whole frame leaves in this turn, a part of one after the delay, and each reader once', async () => {
  vi.useFakeTimers()
  const flushed: string[] = []
  const [whole, part] = ['whole', 'part'].map((name) => ({ flush: () => void flushed.push(name) }))
  fanOut.schedule(part!, false)
  fanOut.schedule(whole!, false)
  fanOut.schedule(whole!, true)
  fanOut.schedule(whole!, false)
  await vi.advanceTimersByTimeAsync(1)
  expect(flushed).toEqual(['whole'])
  await vi.advanceTimersByTimeAsync(5)
  expect(flushed).toEqual(['whole', 'part'])
})
