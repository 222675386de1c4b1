import { describe, expect, test } from 'vitest'
import { type CollectingReader, createCollectingReader } from '../../../../test/builders/collecting-reader.ts'
import {
  aacConfigurationTag,
  aacFrameTag,
  avcC,
  avcConfigurationTag,
  avcFrameTag,
  enhancedTag,
  H264,
  hvcC,
  idr,
  idr265,
  predicted,
  withLengths,
} from '../../../../test/builders/flv-tags.ts'
import { type Publication } from '../../publication.ts'
import { type StreamDescription } from '../../stream.ts'
import { createStreamDemuxer, type StreamDemuxer } from './stream-demuxer.ts'

const EPOCH = 1_800_000_000_000
const BOTH = { videocodecid: 7, audiocodecid: 10 }
const SILENT = { videocodecid: 7, width: 640 }
const key = (id: number) => avcFrameTag(withLengths([idr(id)]), { isKeyframe: true })
const delta = (id: number, compositionMs = 0) => avcFrameTag(withLengths([predicted(id)]), { compositionMs })
const sound = (id: number) => aacFrameTag(Buffer.of(0x21, id))

interface Rig {
  readonly publisher: StreamDemuxer
  readonly warnings: string[]
  readonly description: () => StreamDescription | undefined
  readonly reader: () => CollectingReader
  /** Sends a tag that arrives at its time. */
  video(tag: Buffer, timestampMs: number, arrivedMs?: number): void
  audio(tag: Buffer, timestampMs: number, arrivedMs?: number): void
}

function createRig(): Rig {
  const warnings: string[] = []
  let description: StreamDescription | undefined
  let reader: CollectingReader | undefined
  const publication: Publication = {
    path: 'admin/cam',
    isInternal: false,
    start(started) {
      description = started
      reader = createCollectingReader(started)
    },
    write: (track, data) =>
      reader!.packet({ track, data, timestamp: 0, marker: false, startsKeyframe: false, receivedAtMs: 0 }),
    report: (report) => reader!.report(report),
    confirm: async () => undefined,
    onEnd: () => undefined,
    close: () => undefined,
  }
  const log = { info: () => undefined, warn: (_: unknown, text: string) => void warnings.push(text) }
  const publisher = createStreamDemuxer({ publication, log })
  return {
    publisher,
    warnings,
    description: () => description,
    reader: () => reader!,
    video: (tag, ms, arrived = ms) => publisher.video(tag, ms, EPOCH + arrived),
    audio: (tag, ms, arrived = ms) => publisher.audio(tag, ms, EPOCH + arrived),
  }
}

/** RTP times of the pictures since the first one, in ms. */
function pictureTimes(reader: CollectingReader): number[] {
  const first = reader.pictures[0]!.timestamp
  return reader.pictures.map(({ timestamp }) => ((timestamp - first) | 0) / 90)
}

describe('the beginning', () => {
  test('with video and audio there are two tracks, and nothing that came before is lost', () => {
    const rig = createRig()
    rig.publisher.metadata(BOTH)
    rig.video(avcConfigurationTag(), 0)
    rig.video(key(1), 0)
    expect(rig.description()).toBeUndefined()
    rig.audio(aacConfigurationTag(), 0)
    rig.audio(sound(1), 0)
    rig.video(delta(2), 40)
    expect(rig.description()?.tracks.map(({ codec, payloadType }) => [codec, payloadType])).toEqual([
      ['h264', 96],
      ['aac', 97],
    ])
    expect(rig.reader().pictures.map(({ nalUnits }) => nalUnits)).toEqual([
      [H264.sps, H264.pps, idr(1)],
      [predicted(2)],
    ])
    expect(rig.reader().sounds.map(({ data }) => data)).toEqual([Buffer.of(0x21, 1)])
  })

  test('announced audio that never comes is waited for no longer than a second', () => {
    const rig = createRig()
    rig.publisher.metadata(BOTH)
    rig.video(avcConfigurationTag(), 0)
    for (let i = 0; i <= 25; i++) rig.video(i === 0 ? key(0) : delta(i), i * 40)
    expect(rig.description()?.tracks).toHaveLength(1)
    expect(rig.reader().pictures).toHaveLength(26)
  })

  test('audio that comes after all is left out, with one line in the log', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    rig.video(key(1), 0)
    rig.audio(aacConfigurationTag(), 10)
    for (let i = 0; i < 5; i++) rig.audio(sound(i), 20 * i)
    expect(rig.description()?.tracks).toHaveLength(1)
    expect(rig.warnings).toEqual(['Audio is left out: it began after the stream had.'])
    expect(rig.reader().sounds).toEqual([])
  })

  test('without audio in the metadata it begins with the first picture', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    rig.video(key(1), 0)
    expect(rig.reader().pictures).toHaveLength(1)
  })

  test('pictures of very many units do not wait for audio', () => {
    const rig = createRig()
    rig.publisher.metadata(BOTH)
    rig.video(avcConfigurationTag(), 0)
    const manyUnits = avcFrameTag(withLengths(Array.from({ length: 2_000 }, () => Buffer.of(0x65))), {
      isKeyframe: true,
    })
    for (let i = 0; i < 8; i++) rig.video(manyUnits, i)
    expect(rig.description()).toBeUndefined()
    rig.video(manyUnits, 8)
    expect(rig.description()).toBeDefined()
  })

  test('audio alone begins after a while', () => {
    const rig = createRig()
    rig.publisher.metadata({ audiocodecid: 10 })
    rig.audio(aacConfigurationTag(), 0)
    for (let ms = 0; ms <= 1050; ms += 21) rig.audio(sound(1), ms)
    expect(rig.description()?.tracks.map(({ kind }) => kind)).toEqual(['audio'])
    expect(() => rig.video(avcConfigurationTag(), 1100)).toThrow('begin anew')
  })

  test('pictures without any parameter sets are of no use', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(key(1), 0)
    expect(rig.description()).toBeUndefined()
  })

  test('a file that is sent faster than it plays begins as early', () => {
    const rig = createRig()
    rig.video(avcConfigurationTag(), 0)
    for (let i = 0; i <= 25; i++) rig.video(i === 0 ? key(0) : delta(i), i * 40, 0)
    expect(rig.description()).toBeDefined()
  })
})

describe('times', () => {
  test('are those of presentation, in decoding order', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    rig.video(avcFrameTag(withLengths([idr(0)]), { isKeyframe: true, compositionMs: 80 }), 0)
    for (const [index, offset] of [160, 40, 0, 40].entries()) rig.video(delta(index + 1, offset), (index + 1) * 40)
    expect(pictureTimes(rig.reader())).toEqual([0, 120, 40, 40 + 1 / 90, 120])
  })

  test('run on when the encoder starts over', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    for (const [index, ms] of [90_000, 90_040, 0, 40].entries()) rig.video(key(index), ms, index * 40)
    expect(pictureTimes(rig.reader())).toEqual([0, 40, 80, 120])
  })

  test('no two pictures in a row share a timestamp', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    for (const ms of [0, 40, 40, 39]) rig.video(key(1), ms)
    expect(new Set(rig.reader().pictures.map(({ timestamp }) => timestamp)).size).toBe(4)
  })

  test('sound is counted in samples', () => {
    const rig = createRig()
    rig.video(avcConfigurationTag(), 0)
    rig.audio(aacConfigurationTag(), 0)
    rig.video(key(1), 0)
    for (const ms of [0, 21, 43, 64]) rig.audio(sound(1), ms)
    const [first, ...others] = rig.reader().sounds.map(({ timestamp }) => timestamp)
    expect(others.map((timestamp) => (timestamp - first!) | 0)).toEqual([1024, 2048, 3072])
  })
})

describe('reports', () => {
  test('come first of all, then every two seconds, and jitter does not show', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    for (let i = 0; i <= 125; i++) rig.video(i % 25 === 0 ? key(i) : delta(i), i * 40, i * 40 + 7 + ((i * 13) % 30))
    const { reports, pictures } = rig.reader()
    expect(reports).toHaveLength(3)
    for (const { timestamp, wallClockMs } of reports) {
      const streamMs = ((timestamp - pictures[0]!.timestamp) | 0) / 90
      expect(wallClockMs - EPOCH - streamMs).toBeCloseTo(7, 0)
    }
  })

  test('of audio and video agree', () => {
    const rig = createRig()
    rig.video(avcConfigurationTag(), 0)
    rig.audio(aacConfigurationTag(), 0)
    rig.video(key(1), 1000, 50)
    rig.audio(sound(1), 1100, 120)
    const { reports, pictures, sounds } = rig.reader()
    // The sound came with 30 ms less delay: what was reported with the picture was too late, and is reported anew.
    expect(reports.map(({ track }) => track)).toEqual([0, 1, 0, 1])
    const [video, audio] = reports.slice(2)
    const pictureAt = video!.wallClockMs + ((pictures[0]!.timestamp - video!.timestamp) | 0) / 90
    const soundAt = audio!.wallClockMs + ((sounds[0]!.timestamp - audio!.timestamp) | 0) / 48
    expect(soundAt - EPOCH).toBeCloseTo(120, 0)
    expect(soundAt - pictureAt).toBeCloseTo(100, 0)
  })
})

describe('changes in mid-stream', () => {
  test('a new configuration goes with the next keyframe', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    rig.video(key(1), 0)
    rig.video(avcConfigurationTag(avcC(H264.otherSps)), 40)
    rig.video(key(2), 40)
    expect(rig.reader().pictures[1]!.nalUnits).toEqual([H264.otherSps, H264.pps, idr(2)])
  })

  test('another codec ends the stream', () => {
    const rig = createRig()
    rig.publisher.metadata(SILENT)
    rig.video(avcConfigurationTag(), 0)
    rig.video(key(1), 0)
    expect(() => rig.video(enhancedTag('hvc1', 0, hvcC(), true), 40)).toThrow('codec changed')
  })

  test('another audio configuration ends the sound only', () => {
    const rig = createRig()
    rig.video(avcConfigurationTag(), 0)
    rig.audio(aacConfigurationTag(), 0)
    rig.video(key(1), 0)
    rig.audio(aacConfigurationTag(Buffer.from('1210', 'hex')), 20)
    rig.audio(sound(2), 20)
    rig.video(delta(2), 40)
    expect(rig.reader().sounds).toEqual([])
    expect(rig.reader().pictures).toHaveLength(2)
    expect(rig.warnings).toHaveLength(1)
  })
})

test('H.265 by enhanced RTMP', () => {
  const rig = createRig()
  rig.publisher.metadata(SILENT)
  rig.video(enhancedTag('hvc1', 0, hvcC(), true), 0)
  rig.video(enhancedTag('hvc1', 3, withLengths([idr265(1)]), true), 0)
  expect(rig.description()?.tracks[0]).toMatchObject({ codec: 'h265', encodingName: 'H265' })
  expect(rig.reader().pictures[0]!.nalUnits.at(-1)).toEqual(idr265(1))
})

test("what we can't carry is named in the log once", () => {
  const rig = createRig()
  for (let i = 0; i < 5; i++) rig.audio(Buffer.of(0x2f, 1, 2), i)
  for (let i = 0; i < 5; i++) rig.video(Buffer.of(0x12, 1, 2), i)
  expect(rig.warnings).toEqual([
    'MP3 is left out; only AAC is carried on.',
    "flv1 can't be taken; send H.264 or H.265.",
  ])
})
