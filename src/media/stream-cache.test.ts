import { describe, expect, test } from 'vitest'
import { buildPacket } from './rtp/packet.ts'
import { createStreamCache } from './stream-cache.ts'
import { type MediaTrack } from './stream.ts'

const video: MediaTrack = { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' }
const audio: MediaTrack = { kind: 'audio', codec: 'opus', payloadType: 97, clockRate: 48_000, encodingName: 'opus' }

const rtp = (timestamp: number, payload: readonly number[], marker = true) =>
  buildPacket({ payloadType: 96, sequenceNumber: 1, timestamp, ssrc: 7, marker }, Buffer.from(payload))
const idr = (timestamp: number) => rtp(timestamp, [0x65, 0x88])
const slice = (timestamp: number, marker = true) => rtp(timestamp, [0x41, 0x9a], marker)

function started(...tracks: readonly MediaTrack[]) {
  const cache = createStreamCache(() => 1_234)
  cache.start({ tracks })
  return cache
}

describe('packets', () => {
  test('have what readers need to know of them', () => {
    const cache = started(video)
    expect(cache.add(0, idr(10))).toMatchObject({ track: 0, timestamp: 10, marker: true, startsKeyframe: true })
    expect(cache.add(0, slice(20, false))).toMatchObject({ timestamp: 20, marker: false, startsKeyframe: false })
    expect(cache.add(0, slice(20))?.receivedAtMs).toBe(1_234)
  })

  test('are kept since the last keyframe of the first video track', () => {
    const cache = started(audio, video, video)
    cache.add(1, slice(1))
    expect(cache.packets()).toEqual([])
    cache.add(1, idr(2))
    cache.add(0, slice(3))
    cache.add(2, idr(4))
    expect(cache.packets().map(({ timestamp }) => timestamp)).toEqual([2, 3, 4])
    cache.add(1, idr(5))
    expect(cache.packets().map(({ timestamp }) => timestamp)).toEqual([5])
    expect(cache.heldBytes).toBeGreaterThan(0)
    cache.clear()
    expect([cache.packets(), cache.heldBytes]).toEqual([[], 0])
  })

  test.each([
    ['before the start', createStreamCache(() => 0), 0, idr(1)],
    ['of a track that there is not', started(video), 1, idr(1)],
    ['without a whole header', started(video), 0, idr(1).subarray(0, 11)],
    ['larger than a datagram', started(video), 0, Buffer.concat([idr(1), Buffer.alloc(0x10000)])],
  ])('%s are left out', (_what, cache, track, data) => {
    expect(cache.add(track, data)).toBeUndefined()
    expect(cache.packets()).toEqual([])
  })
})

test.each([
  [[video], true],
  [[audio, video], true],
  [[audio], false],
])('a stream of %j has video: %s', (tracks, hasVideo) => expect(started(...tracks).hasVideo).toBe(hasVideo))

test('the description has the newest parameter sets', () => {
  const [announced, sent] = [Buffer.from([0x67, 1, 2, 3, 0x80]), Buffer.from([0x67, 9, 9, 9, 0x80])]
  const cache = started(audio, { ...video, parameterSets: [announced] })
  expect(cache.description?.tracks[1]?.parameterSets).toEqual([announced])
  cache.add(1, rtp(1, [...sent]))
  expect(cache.description?.tracks[1]?.parameterSets).toEqual([sent])
  expect(cache.description?.tracks[0]).toEqual(audio)
})

test('the last report of each track is kept', () => {
  const cache = started(video, audio)
  for (const [track, timestamp] of [
    [0, 1],
    [1, 2],
    [0, 3],
  ] as const)
    cache.addReport({ track, timestamp, wallClockMs: 0 })
  expect([...cache.reports()].map(({ track, timestamp }) => [track, timestamp])).toEqual([
    [0, 3],
    [1, 2],
  ])
})
