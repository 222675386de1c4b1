import { expect, test } from 'vitest'
import { buildPacket, parseHeader } from '../rtp/packet.ts'
import { buildBye } from '../rtsp/wire/rtcp.ts'
import { buildPictureLoss, isRtcp } from './feedback.ts'
import { type Frame } from './frame.ts'
import { createSharedTurns } from './shared-turns.ts'
import { type FrameTaker, type HubStream } from './hub-stream.ts'
import { createViewer } from './viewer.ts'

const frame = (timestamp: number, isKeyframe = false): Frame => {
  const packet = buildPacket({ payloadType: 0, sequenceNumber: 0, timestamp, ssrc: 0, marker: true }, Buffer.of(1))
  return { track: 0, timestamp, packets: [packet], bytes: packet.length, isKeyframe }
}

function createRig(group: Frame[]) {
  let taker: FrameTaker | undefined
  const hubStream: HubStream = {
    tracks: [{ kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' }],
    hasReorderedPictures: false,
    group: () => group,
    nextKeyframeAtMs: undefined,
    wallClockOf: (_track, timestamp) => timestamp / 90,
    attach(added) {
      taker = added
      return () => (taker = undefined)
    },
    close: async () => {},
  }
  const sent: Buffer[] = []
  let hear: (data: Buffer) => void = () => {}
  const peerTrack = {
    send: (data: Buffer) => void sent.push(Buffer.from(data)),
    onMessage: (handler: (data: Buffer) => void) => void (hear = handler),
  }
  const clock = { now: 10_000 }
  const ends: string[] = []
  const viewer = createViewer({
    hubStream,
    tracks: [{ track: 0, payloadType: 102, ssrc: 5, peerTrack }],
    onEnd: (reason) => void ends.push(reason),
    turns: createSharedTurns(),
    now: () => clock.now,
  })
  const timestamps = () => sent.filter((data) => !isRtcp(data)).map((data) => parseHeader(data)!.timestamp)
  return {
    viewer,
    sent,
    clock,
    ends,
    timestamps,
    flow: (next: Frame) => taker?.frame(next),
    say: (data: Buffer) => hear(data),
    isAttached: () => taker !== undefined,
  }
}

test('a new viewer gets the last group at once, dated a tick apart up to now, and goes on from there', () => {
  const { viewer, timestamps, flow } = createRig([frame(90_000, true), frame(93_000), frame(96_000)])
  viewer.start()
  flow(frame(99_000))
  expect(timestamps()).toEqual([95_998, 95_999, 96_000, 99_000])
})

test('without a group it begins with the next keyframe', () => {
  const { viewer, timestamps, flow } = createRig([])
  viewer.start()
  flow(frame(3000))
  flow(frame(6000, true))
  flow(frame(9000))
  expect(timestamps()).toEqual([6000, 9000])
})

test('the first picture comes with a report, and one follows a second', () => {
  const { viewer, sent } = createRig([frame(90_000, true)])
  viewer.start()
  expect(sent.map(isRtcp)).toEqual([false, true])
  viewer.tick(11_000)
  expect(sent.map(isRtcp)).toEqual([false, true, true])
})

test('a viewer that lost the picture gets the group again, later than all before, and at most once a second', () => {
  const { viewer, clock, timestamps, say, flow } = createRig([frame(90_000, true), frame(93_000)])
  viewer.start()
  clock.now += 1_000
  for (let i = 0; i < 5; i++) say(buildPictureLoss(1, 5))
  flow(frame(96_000))
  expect(timestamps()).toEqual([92_999, 93_000, 93_001, 93_002, 96_000])
  clock.now += 999
  say(buildPictureLoss(1, 5))
  expect(timestamps().length).toBe(5)
})

test('the group is sent again once the stream has brought as much, or a keyframe', () => {
  const group = [frame(0, true), frame(3000), frame(6000), frame(9000)]
  const { viewer, clock, timestamps, say, flow } = createRig(group)
  viewer.start()
  const sentByAsking = () => {
    const before = timestamps().length
    for (let second = 0; second < 10; second++) {
      clock.now += 1_000
      say(buildPictureLoss(1, 5))
    }
    return timestamps().length - before
  }
  expect(sentByAsking()).toBe(4)
  const next = [frame(12_000), frame(15_000), frame(18_000), frame(21_000)]
  for (const one of next.slice(0, 3)) flow(one)
  group.push(...next)
  expect(sentByAsking()).toBe(0)
  flow(next[3]!)
  expect(sentByAsking()).toBe(8)
  group.splice(0, group.length, frame(24_000, true))
  flow(group[0]!)
  expect(sentByAsking()).toBe(1)
})

test('who says goodbye, or nothing for long, is gone', () => {
  const { viewer, clock, ends, say, isAttached } = createRig([])
  viewer.start()
  expect(viewer.tick((clock.now += 8_000))).toBeUndefined()
  expect(viewer.tick((clock.now += 1_000))).toBe('nothing was heard of the viewer')
  say(buildBye(5))
  expect(ends).toEqual(['the viewer said goodbye'])
  viewer.close()
  expect(isAttached()).toBe(false)
})
