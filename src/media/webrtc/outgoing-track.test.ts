import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildPacket, parseHeader } from '../rtp/packet.ts'
import { parseSenderReport } from '../rtsp/wire/rtcp.ts'
import { createOutgoingTrack } from './outgoing-track.ts'
import { createSharedTurns } from './shared-turns.ts'

const packet = (marker: boolean) =>
  buildPacket({ payloadType: 0, sequenceNumber: 7, timestamp: 1, ssrc: 2, marker }, Buffer.from('picture'))

function createRig() {
  const sent: Buffer[] = []
  const clock = { now: 0 }
  const track = createOutgoingTrack({
    payloadType: 102,
    ssrc: 0xfedcba98,
    firstSequenceNumber: 65_534,
    transmit: (data) => void sent.push(Buffer.from(data)),
    turns: createSharedTurns(),
    now: () => clock.now,
  })
  return { track, sent, clock, headers: () => sent.map((data) => parseHeader(data)!) }
}

test('packets get the viewer’s sender, payload type and one number after the other, around the end of the count', () => {
  const { track, headers } = createRig()
  const shared = packet(false)
  for (const timestamp of [10, 10, 3010]) track.send(shared, timestamp)
  track.send(packet(true), 2 ** 32 - 1)
  expect(headers()).toEqual([
    { payloadType: 102, sequenceNumber: 65_534, timestamp: 10, ssrc: 0xfedcba98, marker: false },
    { payloadType: 102, sequenceNumber: 65_535, timestamp: 10, ssrc: 0xfedcba98, marker: false },
    { payloadType: 102, sequenceNumber: 0, timestamp: 3010, ssrc: 0xfedcba98, marker: false },
    { payloadType: 102, sequenceNumber: 1, timestamp: 2 ** 32 - 1, ssrc: 0xfedcba98, marker: true },
  ])
})

test('two viewers share a packet and each gets its own header', () => {
  const [one, other] = [createRig(), createRig()]
  const shared = packet(true)
  one.track.send(shared, 1)
  other.track.send(packet(true), 1)
  other.track.send(shared, 5)
  one.track.resend([65_534])
  expect(one.sent[1]).toEqual(one.sent[0])
  expect(other.headers()[1]).toMatchObject({ sequenceNumber: 65_535, timestamp: 5 })
})

test('what was lost is sent again as it was, while it is kept, and nothing else', () => {
  const { track, sent } = createRig()
  for (let i = 0; i < 600; i++) track.send(packet(false), i)
  const before = sent.length
  track.resend([65_534, 40_000, (65_534 + 599) & 0xffff])
  expect(sent.length).toBe(before + 1)
  expect(sent.at(-1)).toEqual(sent[599])
})

/** Sends so many packets; answers their numbers, and how many were sent again since it was last asked. */
function createLossyRig(count: number) {
  const rig = createRig()
  for (let i = 0; i < count; i++) rig.track.send(packet(false), i)
  let counted = count
  return {
    ...rig,
    numbers: rig.headers().map(({ sequenceNumber }) => sequenceNumber),
    sentAgain: async () => {
      // Turns end within some rounds.
      for (let i = 0; i < 20; i++) await nextRound()
      const before = counted
      counted = rig.sent.length
      return counted - before
    },
    send: () => {
      rig.track.send(packet(false), 0)
      counted++
    },
  }
}

test('what was lost on the way again is sent again, but not while that is still on its way', async () => {
  const { track, numbers, clock, sentAgain } = createLossyRig(100)
  for (let i = 0; i < 5; i++) track.resend(numbers)
  expect(await sentAgain()).toBe(100)
  clock.now += 49
  track.resend(numbers)
  expect(await sentAgain()).toBe(0)
  clock.now += 1
  track.resend(numbers)
  expect(await sentAgain()).toBe(100)
})

test('a viewer that asks without end gets a burst, and then as much again as it gets anyway', async () => {
  const { track, numbers, clock, send, sentAgain } = createLossyRig(400)
  const ask = () => {
    for (let i = 0; i < 100; i++) {
      clock.now += 50
      track.resend(numbers)
    }
  }
  ask()
  expect(await sentAgain()).toBe(256)
  ask()
  expect(await sentAgain()).toBe(0)
  for (let i = 0; i < 30; i++) send()
  ask()
  expect(await sentAgain()).toBe(30)
})

test('a heap of lost packets goes in turns, and none any more once the viewer left', async () => {
  const { track, sent, numbers, sentAgain } = createLossyRig(400)
  track.resend(numbers)
  expect(sent.length - 400).toBeLessThanOrEqual(128)
  const inTheFirstRound = sent.length - 400
  track.close()
  expect(await sentAgain()).toBe(inTheFirstRound)
})

test('a report has the time of a timestamp, once something was sent', () => {
  const { track } = createRig()
  expect(track.report(1_700_000_000_000, 1)).toBeUndefined()
  track.send(packet(true), 9000)
  expect(parseSenderReport(track.report(1_700_000_000_000, 9000)!)).toEqual({
    timestamp: 9000,
    wallClockMs: 1_700_000_000_000,
  })
})
