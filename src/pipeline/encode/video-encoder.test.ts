import '../../av/polyfill.ts'
import { splitByStartCodes } from '../../media/rtp/annex-b.ts'
import { once } from 'node:events'
import { AV_CODEC_ID_H264, AVMEDIA_TYPE_VIDEO, CodecParameters, Packet, Rational } from 'node-av'
import { afterEach, beforeEach, expect, test } from 'vitest'
import '../../av/input.ts'
import { type Size } from '../../core/detection.ts'
import { createVideoDecoder } from '../decode/video-decoder.ts'
import { createOutputPicturePool, type OutputPicture, type OutputPicturePool } from './output-picture.ts'
import { type EncodedPicture } from '../picture.ts'
import { createVideoEncoder, type VideoEncoder } from './video-encoder.ts'

const size = { width: 320, height: 180 }
let pool: OutputPicturePool
let encoder: VideoEncoder
let failures: Error[]

beforeEach(() => {
  pool = createOutputPicturePool(4)
  failures = []
  encoder = createVideoEncoder({ fps: () => 25, onFailed: (error) => failures.push(error) })
})
afterEach(async () => {
  await encoder.close()
  pool.close()
  expect(failures).toEqual([])
})

/** A slope of brightness that moves. */
function picture(step: number, { width, height }: Size = size): OutputPicture {
  const taken = pool.take({ width, height })
  const { y, u, v, strideY } = taken.planes
  for (let at = 0; at < y.length; at++) y[at] = 16 + ((((at % strideY) + 3 * step) >> 1) % 200)
  u.fill(100)
  v.fill(150)
  return taken
}

function collect(): { readonly all: EncodedPicture[]; next(): Promise<EncodedPicture> } {
  const all: EncodedPicture[] = []
  const arrived = new EventTarget()
  encoder.subscribe((encoded) => {
    all.push(encoded)
    arrived.dispatchEvent(new CustomEvent('picture'))
  })
  return { all, next: async () => (await once(arrived, 'picture'), all.at(-1)!) }
}

async function encodeAll(times: readonly number[], got = collect(), of?: Size): Promise<EncodedPicture[]> {
  for (const [step, ptsMs] of times.entries()) {
    const one = picture(step, of)
    const done = got.next()
    encoder.encode(one, ptsMs)
    one.release()
    await done
  }
  return got.all
}

const every = (intervalMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => 5000 + index * intervalMs)

/** What the pipeline's own decoder makes of it: size, time and the brightness on the left. */
function decoded(encoded: readonly EncodedPicture[]) {
  const codecpar = new CodecParameters()
  codecpar.alloc()
  codecpar.codecType = AVMEDIA_TYPE_VIDEO
  codecpar.codecId = AV_CODEC_ID_H264
  const decoder = createVideoDecoder({ codecpar, timeBase: new Rational(1, 90_000) }, { isLive: true })
  const pictures = encoded.flatMap(({ data, ptsMs }) => {
    const packet = new Packet()
    packet.alloc()
    packet.data = data
    packet.pts = BigInt(Math.round(ptsMs * 90))
    const frames = Array.from(decoder.decode(packet), (frame) => {
      const { width, height, isKeyframe, isDamaged } = frame
      const result = { width, height, isKeyframe, isDamaged, ptsMs: frame.ptsMs, left: frame.frame.data![0]![4]! }
      frame.release()
      return result
    })
    packet.free()
    return frames
  })
  expect(decoder.stats.brokenPackets).toBe(0)
  decoder.close()
  codecpar.free()
  return pictures
}

test('what is encoded can be decoded: every picture, its size, its time, its content', async () => {
  const times = every(40, 10)
  const pictures = decoded(await encodeAll(times))
  expect(pictures).toHaveLength(10)
  for (const [step, seen] of pictures.entries()) {
    expect(seen).toMatchObject({ ...size, ptsMs: times[step], isKeyframe: step === 0, isDamaged: false })
    expect(Math.abs(seen.left - (16 + ((4 + 3 * step) >> 1)))).toBeLessThan(12)
  }
  expect(encoder.stats).toEqual({ encoded: 10, dropped: 0, refused: 0, failed: 0 })
})

test.each([
  { name: '25 frames a second', times: every(40, 76), keyframes: [5000, 6000, 7000, 8000] },
  { name: '30 frames a second', times: every(1000 / 30, 70), keyframes: [5000, 6000, 7000] },
  { name: 'a frame every 700 ms', times: every(700, 5), keyframes: [5000, 6400, 7800] },
])('at $name there is a keyframe a second', async ({ times, keyframes }) => {
  const got = await encodeAll(times)
  const ptsMs = got.filter(({ isKeyframe }) => isKeyframe).map((encoded) => Math.round(encoded.ptsMs))
  expect(ptsMs).toEqual(keyframes)
})

test('each keyframe begins with its parameter sets, in the profile that browsers take', async () => {
  const got = await encodeAll(every(500, 6))
  for (const { data, isKeyframe } of got) {
    const [first, second, ...rest] = splitByStartCodes(data)
    if (isKeyframe) {
      expect([first![0]! & 0x1f, second![0]! & 0x1f, rest.at(-1)![0]! & 0x1f]).toEqual([7, 8, 5])
      // profile_idc and the flags of the constrained baseline profile.
      expect([first![1], first![2]! & 0xc0]).toEqual([66, 0xc0])
    } else expect(first![0]! & 0x1f).toBe(1)
  }
})

test('who subscribes later begins with a keyframe, and who left gets nothing', async () => {
  const got = collect()
  await encodeAll([0, 40], got)
  const late: boolean[] = []
  const leave = encoder.subscribe(({ isKeyframe }) => late.push(isKeyframe))
  await encodeAll([80, 120], got)
  leave()
  await encodeAll([160], got)
  expect(late).toEqual([true, false])
  expect(got.all).toHaveLength(5)
})

test('nothing is encoded for nobody', () => {
  const one = picture(0)
  encoder.encode(one, 0)
  one.release()
  expect(() => one.release()).toThrow('released twice')
  expect(encoder.stats.encoded).toBe(0)
})

test('a picture that is not newer than the one before is left out', async () => {
  const got = collect()
  await encodeAll([1000, 1040], got)
  for (const ptsMs of [1040, 1039.999, 900, NaN]) {
    const one = picture(0)
    encoder.encode(one, ptsMs)
    one.release()
  }
  await encodeAll([1080], got)
  expect(got.all.map(({ ptsMs }) => ptsMs)).toEqual([1000, 1040, 1080])
  expect(encoder.stats.refused).toBe(4)
})

test('when pictures come too fast the oldest that wait are dropped', async () => {
  const got = collect()
  for (let step = 0; step < 6; step++) {
    const one = picture(step)
    encoder.encode(one, step)
    // The pool has room for four: the one that is encoded, two that wait, and this one.
    one.release()
  }
  while (got.all.length < 3) await got.next()
  expect(got.all.map(({ ptsMs }) => ptsMs)).toEqual([0, 4, 5])
  expect(encoder.stats).toMatchObject({ encoded: 3, dropped: 3 })
})

test('another size begins a new sequence, which decodes', async () => {
  const got = collect()
  await encodeAll([0, 40], got)
  await encodeAll([80, 120], got, { width: 640, height: 360 })
  const pictures = decoded(got.all)
  expect(pictures.map(({ width, height }) => `${width}x${height}`)).toEqual([
    '320x180',
    '320x180',
    '640x360',
    '640x360',
  ])
  expect(got.all[2]!.isKeyframe).toBe(true)
})

test.each([0, 3, 8, 17, 250])('what a source says of its colours (%i) never stops the encoder', async (tag) => {
  const got = collect()
  const one = picture(0)
  Object.assign(one.frame, { colorSpace: tag || 1, colorPrimaries: tag, colorTrc: tag })
  const done = got.next()
  encoder.encode(one, 0)
  one.release()
  expect((await done).isKeyframe).toBe(true)
})

test('a subscriber that throws is reported, and the others don’t notice', async () => {
  const leave = encoder.subscribe(() => {
    throw new Error('full')
  })
  const got = collect()
  await encodeAll([0], got)
  leave()
  await encodeAll([40], got)
  expect(failures.splice(0).map(({ message }) => message)).toEqual(['full'])
  expect(got.all.map(({ isKeyframe }) => isKeyframe)).toEqual([true, false])
})

test('closing in the middle releases every picture', async () => {
  collect()
  const held = [0, 1, 2].map((step) => picture(step))
  for (const [step, one] of held.entries()) encoder.encode(one, step)
  for (const one of held) one.release()
  await encoder.close()
  for (const one of held) expect(() => one.release()).toThrow('released twice')
  encoder = createVideoEncoder()
})
