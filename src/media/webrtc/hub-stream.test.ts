import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { buildPacket } from '../rtp/packet.ts'
import { describeH264Track } from '../rtp/h264-codec.ts'
import { type RtspPlayerHandlers } from '../rtsp/client/player.ts'
import { type MediaTrack } from '../stream.ts'
import { type Frame } from './frame.ts'
import { createHubStream } from './hub-stream.ts'

const sps = Buffer.from('Z2QAH6zZQFAFuhAAAAMAEAAAAwPA8YMZYA==', 'base64')
const pps = Buffer.from('aOvjyyLA', 'base64')
const video = describeH264Track(96, [sps, pps])
/** Its parameter sets do not say whether pictures are reordered. */
const vagueVideo = describeH264Track(96, [Buffer.of(0x67, 77, 0, 31), pps])
const opus: MediaTrack = { kind: 'audio', codec: 'opus', payloadType: 97, clockRate: 48_000, encodingName: 'opus' }
const aac: MediaTrack = { ...opus, codec: 'aac', encodingName: 'mpeg4-generic' }
const sound = (timestamp: number, bytes = 20) =>
  buildPacket({ payloadType: 97, sequenceNumber: 1, timestamp, ssrc: 1, marker: true }, Buffer.alloc(bytes))

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
async function openRig(tracks: readonly MediaTrack[]) {
  let handlers: RtspPlayerHandlers | undefined
  let wanted: boolean[] = []
  const calls: string[] = []
  const opening = createHubStream(
    {
      description: { tracks },
      async start(given, wants = () => true) {
        handlers = given
        wanted = tracks.map((_, index) => wants(index))
      },
      close: async () => void calls.push('closed'),
    },
    () => void calls.push('ended'),
  )
  await vi.advanceTimersByTimeAsync(200)
  const stream = await opening
  const frames: Frame[] = []
  const ends: string[] = []
  const taker = { frame: (frame: Frame) => void frames.push(frame), end: (reason: string) => void ends.push(reason) }
  const detach = stream.attach(taker)
  return { stream, taker, detach, frames, ends, calls, wanted, player: () => handlers! }
}

describe('tracks', () => {
  test('the picture and sound that browsers know are read, the rest is not asked for', async () => {
    expect((await openRig([video, aac, opus])).wanted).toEqual([true, false, true])
  })

  test('a stream of which nothing can be carried is not started', async () => {
    const { stream, player } = await openRig([aac])
    expect(player()).toBeUndefined()
    expect(stream.tracks).toEqual([aac])
    expect(stream.hasReorderedPictures).toBe(false)
  })

  test('where the parameter sets do not say whether pictures are reordered, the first pictures do', async () => {
    const { stream, player } = await openRig([vagueVideo])
    const unit = (timestamp: number) =>
      buildPacket(
        { payloadType: 96, sequenceNumber: timestamp, timestamp, ssrc: 1, marker: true },
        Buffer.of(0x41, 0x80),
      )
    for (const timestamp of [3000, 9000]) player().packet(0, unit(timestamp))
    expect(stream.hasReorderedPictures).toBe(false)
    player().packet(0, unit(6000))
    expect(stream.hasReorderedPictures).toBe(true)
  })
})

describe('frames', () => {
  test('all viewers get each; the group holds the pictures since the last keyframe', async () => {
    const { stream, frames, player } = await openRig([video, opus])
    const others: Frame[] = []
    stream.attach({ frame: (frame) => void others.push(frame), end: () => {} })
    const nextFrame = createFrameMaker()
    for (const kind of ['delta', 'key', 'delta', 'key', 'delta'] as const) player().packet(0, nextFrame(kind))
    player().packet(1, sound(960))
    expect(frames.map(({ track, isKeyframe }) => [track, isKeyframe])).toEqual([
      ...[false, true, false, true, false].map((isKeyframe) => [0, isKeyframe]),
      [1, false],
    ])
    expect(others).toEqual(frames)
    expect(stream.group()).toEqual(frames.slice(3, 5))
  })

  test('sound that no datagram could carry, or without a header, is dropped', async () => {
    const { frames, player } = await openRig([opus])
    player().packet(0, sound(1, 1_389))
    player().packet(0, Buffer.alloc(11))
    expect(frames).toEqual([])
  })

  test('the next keyframe is due as long after the last as that was after the one before', async () => {
    const { stream, player } = await openRig([video])
    const nextFrame = createFrameMaker()
    player().packet(0, nextFrame('key'))
    expect(stream.nextKeyframeAtMs).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2_000)
    player().packet(0, nextFrame('key'))
    expect(stream.nextKeyframeAtMs).toBe(performance.now() + 2_000)
  })
})

describe('wall clock', () => {
  test('without reports the first frame is from just now; a report is better', async () => {
    const { stream, player } = await openRig([opus])
    expect(stream.wallClockOf(0, 48_000)).toBeUndefined()
    player().packet(0, sound(48_000))
    expect(stream.wallClockOf(0, 96_000)).toBe(Date.now() + 1_000)
    player().report({ track: 0, timestamp: 48_000, wallClockMs: 5_000 })
    expect(stream.wallClockOf(0, 96_000)).toBe(6_000)
  })
})

describe('the end', () => {
  test('every viewer is notified once, and one that comes later at once', async () => {
    const { stream, taker, ends, calls, player } = await openRig([opus])
    player().end('it was stopped')
    expect([ends, calls]).toEqual([['it was stopped'], ['ended']])
    stream.attach(taker)
    expect(ends).toEqual(['it was stopped', 'the stream ended'])
    await stream.close()
    expect(calls).toEqual(['ended', 'closed'])
  })

  test('a viewer that has left gets nothing more', async () => {
    const { detach, frames, ends, player } = await openRig([opus])
    detach()
    player().packet(0, sound(1))
    player().end('over')
    expect([frames, ends]).toEqual([[], []])
  })
})
