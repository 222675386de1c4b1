import { expect, test } from 'vitest'
import { buildPacket, parseHeader } from '../rtp/packet.ts'
import { parseSenderReport } from '../rtsp-client/rtcp.ts'
import { createOutgoingTrack } from './outgoing-track.ts'

const packet = (marker: boolean) =>
  buildPacket({ payloadType: 0, sequenceNumber: 7, timestamp: 1, ssrc: 2, marker }, Buffer.from('picture'))

function createStage() {
  const sent: Buffer[] = []
  const track = createOutgoingTrack({
    payloadType: 102,
    ssrc: 0xfedcba98,
    firstSequenceNumber: 65_534,
    transmit: (data) => void sent.push(Buffer.from(data)),
  })
  return { track, sent, headers: () => sent.map((data) => parseHeader(data)!) }
}

test('packets get the viewer’s sender, payload type and one number after the other, around the end of the count', () => {
  const { track, headers } = createStage()
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
  const [one, other] = [createStage(), createStage()]
  const shared = packet(true)
  one.track.send(shared, 1)
  other.track.send(packet(true), 1)
  other.track.send(shared, 5)
  one.track.resend([65_534])
  expect(one.sent[1]).toEqual(one.sent[0])
  expect(other.headers()[1]).toMatchObject({ sequenceNumber: 65_535, timestamp: 5 })
})

test('what was lost is sent again as it was, while it is kept, and nothing else', () => {
  const { track, sent } = createStage()
  for (let i = 0; i < 600; i++) track.send(packet(false), i)
  const before = sent.length
  track.resend([65_534, 40_000, (65_534 + 599) & 0xffff])
  expect(sent.length).toBe(before + 1)
  expect(sent.at(-1)).toEqual(sent[599])
})

test('a report tells the time of a timestamp, once something was sent', () => {
  const { track } = createStage()
  expect(track.report(1_700_000_000_000, 1)).toBeUndefined()
  track.send(packet(true), 9000)
  expect(parseSenderReport(track.report(1_700_000_000_000, 9000)!)).toEqual({
    timestamp: 9000,
    wallClockMs: 1_700_000_000_000,
  })
})
