import { describe, expect, test } from 'vitest'
import { AAC_CONFIG, H264, H265, idr, idr265, predicted, withLengths } from '../../../../test/builders/flv-tags.ts'
import { createAacPacketizer } from '../../rtp/aac-packetizer.ts'
import { describeAacTrack } from '../../rtp/aac-track.ts'
import { createH264Packetizer, describeH264Track } from '../../rtp/h264-codec.ts'
import { createH265Packetizer, describeH265Track } from '../../rtp/h265-codec.ts'
import { createKeyframeFinder } from '../../rtp/keyframe.ts'
import { type MediaPacket, type StreamDescription } from '../../stream.ts'
import { parseAudioTag } from '../wire/flv-audio.ts'
import { parseVideoTag } from '../wire/flv-video.ts'
import { type MediaMessage } from './media-message.ts'
import { createStreamMuxer } from './stream-muxer.ts'

const SETS = [H264.sps, H264.pps]
const VIDEO = describeH264Track(96, SETS)
const AUDIO = describeAacTrack(97, AAC_CONFIG)!
const frameOf = ({ payload }: MediaMessage) => parseVideoTag(payload.body)

/** Packets as the hub hands them on. */
function createSource(finder = createKeyframeFinder('h264')) {
  const packetize = createH264Packetizer({ payloadType: 96, firstSequenceNumber: 0 })
  const packetizeAudio = createAacPacketizer({ payloadType: 97 })
  const toPacket = (track: number, data: Buffer, receivedAtMs: number): MediaPacket => ({
    track,
    data,
    timestamp: data.readUInt32BE(4),
    marker: (data[1]! & 0x80) !== 0,
    startsKeyframe: track === 0 && finder(data),
    receivedAtMs,
  })
  return {
    video: (nalUnits: Buffer[], ms: number, receivedAtMs = ms) =>
      packetize(nalUnits, ms * 90).map((data) => toPacket(0, data, receivedAtMs)),
    audio: (data: Buffer, ms: number, receivedAtMs = ms) =>
      packetizeAudio(data, ms * 48).map((packet) => toPacket(1, packet, receivedAtMs)),
  }
}

function mux(description: StreamDescription, packets: readonly MediaPacket[]): MediaMessage[] {
  const muxer = createStreamMuxer(description)!
  return packets.flatMap((packet) => muxer.messagesFor(packet))
}

describe('video', () => {
  test('frames carry slices and SEI; sets go into the configuration, delimiters nowhere', () => {
    const { video } = createSource()
    const [message] = mux({ tracks: [VIDEO] }, video([H264.delimiter, ...SETS, H264.sei, idr(1)], 0))
    expect(frameOf(message!)).toMatchObject({ kind: 'frame', isKeyframe: true, data: withLengths([H264.sei, idr(1)]) })
    expect(parseVideoTag(message!.configuration.body)).toMatchObject({ kind: 'configuration', codec: 'h264' })
  })

  test('the configuration stays the same object until the sets change', () => {
    const { video } = createSource()
    const messages = mux({ tracks: [VIDEO] }, [
      ...video([...SETS, idr(1)], 0),
      ...video([...SETS, idr(2)], 40),
      ...video([H264.otherSps, H264.pps, idr(3)], 80),
    ])
    expect(messages[1]!.configuration).toBe(messages[0]!.configuration)
    expect(messages[2]!.configuration).not.toBe(messages[0]!.configuration)
    expect(messages.map(({ timestampMs }) => timestampMs)).toEqual(
      [...messages].map(({ timestampMs }) => timestampMs).sort((a, b) => a - b),
    )
  })

  test('a track that was announced without sets waits for them in band', () => {
    const { video } = createSource()
    const messages = mux({ tracks: [{ ...VIDEO, parameterSets: undefined }] }, [
      ...video([idr(1)], 0),
      ...video([...SETS, idr(2)], 40),
    ])
    expect(messages).toHaveLength(1)
  })

  test('after a loss nothing comes before the next keyframe', () => {
    const { video } = createSource()
    const packets = [
      ...video([...SETS, idr(1)], 0),
      ...video([predicted(2)], 40),
      ...video([predicted(3)], 80),
      ...video([predicted(4)], 120),
      ...video([...SETS, idr(5)], 160),
    ]
    const lost = packets.findIndex(({ timestamp }) => timestamp === 40 * 90)
    const messages = mux(
      { tracks: [VIDEO] },
      packets.filter((_, index) => index !== lost),
    )
    expect(messages.map(({ presentationMs }) => presentationMs)).toEqual([0, 160])
  })

  test('B-frames get decoding times', () => {
    const { video } = createSource()
    const messages = mux(
      { tracks: [VIDEO] },
      [0, 132, 66, 33, 99].flatMap((ms, index) => video([index === 0 ? idr(0) : predicted(index)], ms)),
    )
    expect(messages.map(({ presentationMs }) => presentationMs)).toEqual([0, 132, 66, 33, 99])
    expect(messages.map(({ timestampMs }) => timestampMs)).toEqual([-67, -33, 0, 33, 66])
    expect(frameOf(messages[1]!)).toMatchObject({ compositionMs: 165 })
  })

  test('H.265 goes the enhanced way', () => {
    const sets = [H265.vps, H265.sps, H265.pps]
    const finder = createKeyframeFinder('h265')
    const packets = createH265Packetizer({ payloadType: 96 })([...sets, idr265(1)], 0).map((data) => ({
      track: 0,
      data,
      timestamp: 0,
      marker: false,
      startsKeyframe: finder(data),
      receivedAtMs: 0,
    }))
    const [message] = mux({ tracks: [describeH265Track(96, sets)] }, packets)
    expect(message!.payload.body.toString('latin1', 1, 5)).toBe('hvc1')
    expect(frameOf(message!)).toMatchObject({ codec: 'h265', isKeyframe: true, data: withLengths([idr265(1)]) })
  })
})

describe('readers', () => {
  test('who bring the same packets get the same messages, whenever they come', () => {
    const { video } = createSource()
    const muxer = createStreamMuxer({ tracks: [VIDEO] })!
    const packets = [...video([...SETS, idr(1, 5000)], 0), ...video([predicted(2)], 40)]
    const early = packets.flatMap((packet) => muxer.messagesFor(packet))
    const late = packets.flatMap((packet) => muxer.messagesFor(packet))
    expect(late).toHaveLength(2)
    expect(late.every((message, index) => message === early[index])).toBe(true)
  })
})

describe('audio', () => {
  test('without reports it is in step by arrival', () => {
    const { video, audio } = createSource()
    const messages = mux({ tracks: [VIDEO, AUDIO] }, [...video([idr(1)], 5000, 1000), ...audio(Buffer.of(1), 70, 1040)])
    expect(messages[1]!.timestampMs).toBe(40)
    expect(parseAudioTag(messages[1]!.payload.body)).toEqual({ kind: 'frame', data: Buffer.of(1) })
  })

  test('reports of both tracks are exact', () => {
    const { video, audio } = createSource()
    const muxer = createStreamMuxer({ tracks: [VIDEO, AUDIO] })!
    muxer.report({ track: 0, timestamp: 5000 * 90, wallClockMs: 10_000 })
    muxer.report({ track: 1, timestamp: 70 * 48, wallClockMs: 10_025 })
    const packets = [...video([idr(1)], 5000, 1000), ...audio(Buffer.of(1), 70, 1400), ...audio(Buffer.of(2), 91, 1400)]
    const messages = packets.flatMap((packet) => muxer.messagesFor(packet))
    expect(messages.map(({ presentationMs }) => presentationMs)).toEqual([0, 25, 46])
  })
})

test('metadata has codecs and size', () => {
  expect(createStreamMuxer({ tracks: [VIDEO, AUDIO] })!.metadata).toEqual({
    videocodecid: 7,
    width: 1920,
    height: 1080,
    audiocodecid: 10,
    audiosamplerate: 48_000,
    stereo: true,
  })
})

test('a stream of other codecs has no muxer, and such tracks beside others are left out', () => {
  const opus = { ...AUDIO, codec: 'opus', encodingName: 'opus' } as const
  expect(createStreamMuxer({ tracks: [opus] })).toBeUndefined()
  const { video, audio } = createSource()
  expect(mux({ tracks: [VIDEO, opus] }, [...video([idr(1)], 0), ...audio(Buffer.of(1), 0)])).toHaveLength(1)
})
