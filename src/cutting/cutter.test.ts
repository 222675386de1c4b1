import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brightnessOf, countsIn, type CountedClipOptions, recordCountedClip } from '../../test/support/counted-clip.ts'
import { openInput } from '../av/input.ts'
import { encodeBlock, frameBlock } from '../core/look-blocks.ts'
import { DEFAULT_PICTURE_LIMIT } from '../core/picture-limit.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { cut, type CutClip } from './cutter.ts'
import { type CutOrder, partialFile } from './messages.ts'
import { type CutError } from './recorded-video.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-cutting-'))
afterAll(() => rmSync(folder, { recursive: true }))

const START = Date.UTC(2026, 0, 1)
const PICTURE_MS = 40

let targets = 0
/** From one picture to before another, counted from the beginning of the first file. */
async function cutPictures(
  files: readonly (readonly [path: string, startsAtPicture: number])[],
  from: number,
  to: number,
  change: Partial<CutOrder> = {},
): Promise<CutClip & { paths: string[] }> {
  const target = join(folder, `clip-${targets++}`)
  const order = {
    files: files.map(([path, picture]) => ({ path, startedAtMs: START + picture * PICTURE_MS, gapMs: null })),
    fromMs: START + from * PICTURE_MS,
    toMs: START + to * PICTURE_MS,
    target,
    looks: null,
    maxPicture: DEFAULT_PICTURE_LIMIT,
    ...change,
  }
  const clip = await cut(order, () => {})
  const paths = clip.parts.map(({ n }) => `${target}-${n}.mp4`)
  for (const { n } of clip.parts) renameSync(partialFile(target, n), paths[n - 1]!)
  return { ...clip, paths }
}

const record = (options: CountedClipOptions) => recordCountedClip(folder, options)
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => (from + index) % 100)

interface Probed {
  /** In milliseconds, in decoding order. */
  readonly shown: readonly number[]
  readonly decoded: readonly number[]
  readonly samples: readonly Buffer[]
}

async function probe(path: string): Promise<Probed> {
  const input = await openInput(path, { timeoutMs: 10_000 })
  const { index, timeBase } = input.video!
  const [shown, decoded, samples]: [number[], number[], Buffer[]] = [[], [], []]
  const toMs = (ticks: bigint) => Math.round((Number(ticks) * 1000 * timeBase.num) / timeBase.den)
  for (let packet = await input.read(); packet; packet = await input.read()) {
    if (packet.streamIndex !== index) continue
    shown.push(toMs(packet.pts))
    decoded.push(toMs(packet.dts))
    samples.push(Buffer.from(packet.data!))
  }
  await input.close()
  return { shown, decoded, samples }
}

/** Every 40 ms one, from the beginning, and never decoded after it is shown. */
function expectEven({ shown, decoded }: Probed, pictures: number): void {
  expect(shown.toSorted((a, b) => a - b)).toEqual(Array.from({ length: pictures }, (_, index) => index * PICTURE_MS))
  expect(decoded).toEqual(decoded.toSorted((a, b) => a - b))
  expect(decoded.every((time, index) => time <= shown[index]!)).toBe(true)
}

describe.each([
  ['as cameras send it', { encoder: ['-bf', '0'] }],
  ['with pictures that refer to later ones', { encoder: ['-bf', '2'] }],
  ['in groups that refer to the one before', { encoder: ['-bf', '2', '-x264-params', 'open-gop=1'] }],
  ['baseline', { encoder: ['-bf', '0', '-profile:v', 'baseline'] }],
  ['with parameter sets of another id', { encoder: ['-bf', '0', '-x264-params', 'sps-id=31'] }],
  ['of full range', { encoder: ['-bf', '0', '-color_range', 'pc'] }],
] as const)('H.264 %s', (name, options) => {
  let file: string
  beforeAll(async () => void (file = await record({ name: name.replaceAll(' ', '-'), ...options })))

  test.each([
    ['between keyframes', 25, 75],
    ['from the middle of a group to that of another', 37, 83],
    ['within a group', 30, 40],
    ['the whole', 0, 100],
  ])('%s has exactly the pictures that were asked for', async (_name, from, to) => {
    const { parts, gaps, paths } = await cutPictures([[file, 0]], from, to)
    expect(countsIn(paths[0]!)).toEqual(numbers(from, to))
    expectEven(await probe(paths[0]!), to - from)
    expect(gaps).toEqual([])
    expect(parts).toMatchObject([
      { n: 1, from: START + from * PICTURE_MS, to: START + to * PICTURE_MS, durationMs: (to - from) * PICTURE_MS },
    ])
  })
})

test('what lies between the first and the last keyframe is that of the recording, byte for byte', async () => {
  const file = await record({ name: 'bytes' })
  const { paths } = await cutPictures([[file, 0]], 37, 83)
  const [recorded, clip] = [await probe(file), await probe(paths[0]!)]
  expect(clip.samples.slice(50 - 37)).toEqual(recorded.samples.slice(50, 83))
  expect(clip.samples[0]).not.toEqual(recorded.samples[37])
})

test('files that follow each other are one, with their sound', async () => {
  const files = [
    [await record({ name: 'first', pictures: 50, withSound: true }), 0],
    [await record({ name: 'second', first: 50, pictures: 50, withSound: true }), 50],
  ] as const
  const { parts, gaps, paths } = await cutPictures(files, 10, 90)
  expect(countsIn(paths[0]!)).toEqual(numbers(10, 90))
  expectEven(await probe(paths[0]!), 80)
  expect([parts.length, gaps]).toEqual([1, []])
  const times = execFileSync('ffprobe', [
    ...['-v', 'error', '-select_streams', 'a', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', paths[0]!],
  ])
  const heard = times.toString().trim().split('\n').map(parseFloat)
  // AAC comes in pieces of 21 ms.
  expect(heard[0]).toBeLessThan(0.03)
  expect(heard.at(-1)).toBeGreaterThan(80 * 0.04 - 0.1)
  expect(heard).toEqual(heard.toSorted((a, b) => a - b))
})

test('what was not recorded is left out, and named', async () => {
  const files = [
    [await record({ name: 'before', pictures: 50 }), 0],
    [await record({ name: 'after', first: 50, pictures: 50 }), 100],
  ] as const
  const { parts, gaps, paths } = await cutPictures(files, -50, 200)
  expect(countsIn(paths[0]!)).toEqual(numbers(0, 100))
  expectEven(await probe(paths[0]!), 100)
  expect(parts).toMatchObject([{ durationMs: 4_000, from: START, to: START + 6_000 }])
  expect(gaps).toEqual([
    { from: START - 2_000, to: START },
    { from: START + 2_000, to: START + 4_000 },
    { from: START + 6_000, to: START + 8_000 },
  ])
})

test('where the picture changes, another part begins', async () => {
  const files = [
    [await record({ name: 'small', pictures: 50 }), 0],
    [await record({ name: 'large', first: 50, pictures: 50, size: '320x192' }), 50],
  ] as const
  const { parts, paths } = await cutPictures(files, 10, 90)
  expect(paths.map(countsIn)).toEqual([numbers(10, 50), numbers(50, 90)])
  expect(parts.map(({ n, video }) => [n, video])).toEqual([
    [1, { codec: 'h264', width: 160, height: 96, fps: 25 }],
    [2, { codec: 'h264', width: 320, height: 192, fps: 25 }],
  ])
})

test('H.265 becomes H.264, from the exact picture to the exact picture', async () => {
  const file = await record({ name: 'h265', codec: 'libx265', encoder: ['-x265-params', 'log-level=none:bframes=2'] })
  const { parts, paths } = await cutPictures([[file, 0]], 30, 60)
  const counts = countsIn(paths[0]!)
  expect(counts).toHaveLength(30)
  for (const [index, count] of counts.entries()) expect(Math.abs(count - (30 + index))).toBeLessThanOrEqual(1)
  expect(parts).toMatchObject([{ video: { codec: 'h264' } }])
  expectEven(await probe(paths[0]!), 30)
})

test('a file of which nothing is readable is a gap; nothing at all is said so', async () => {
  const { gaps } = await cutPictures(
    [
      ['/dev/null', -50],
      [await record({ name: 'one' }), 0],
    ],
    -50,
    50,
  )
  expect(gaps).toEqual([{ from: START - 2_000, to: START }])
  const nothing = cutPictures([['/dev/null', 0]], 0, 50)
  await expect(nothing).rejects.toMatchObject({ reason: 'nothing' } satisfies Partial<CutError>)
})

test('a file that was removed is reported, so that it can be planned anew', async () => {
  const gone = cutPictures([[join(folder, 'gone.mp4'), 0]], 0, 50)
  await expect(gone).rejects.toMatchObject({ reason: 'gone' } satisfies Partial<CutError>)
})

describe('with boxes', () => {
  const width = 320
  const box = { x: 80, y: 60, width: 120, height: 90 }

  /** One look at each of these pictures. */
  function writeLooks(name: string, pictures: readonly number[]): string {
    const looks = pictures.map((picture): RecordedLook => {
      const track = { id: 3, classId: 0, className: 'person', box, confidence: 0.9 }
      return { takenAtMs: START + picture * PICTURE_MS, width, height: 192, tracks: [track] }
    })
    const path = join(folder, name)
    const payload = encodeBlock(looks)
    writeFileSync(path, frameBlock(deflateRawSync(payload), payload.length, looks))
    return path
  }

  /** How far the brightness is, at the left edge of the box and in its middle, from that of the picture. */
  function drawnAt(file: string, picture: number, expected: number): { edge: number; middle: number } {
    const pixels = brightnessOf(file, picture)
    const offAt = (x: number, y: number) => Math.abs(pixels[y * width + x]! - expected)
    const edge = Math.max(...[-2, -1, 0, 1, 2].map((dx) => offAt(box.x + dx, 105)))
    return { edge, middle: offAt(box.x + 60, 105) }
  }

  test('what was seen is drawn where it was, for as long as it was seen, and the pictures are the same', async () => {
    const file = await record({ name: 'boxed', size: '320x192' })
    const looks = [writeLooks('one.looks', [30, 35, 40])]
    const { parts, paths } = await cutPictures([[file, 0]], 20, 60, { looks })
    expectEven(await probe(paths[0]!), 40)
    expect(parts).toMatchObject([{ video: { codec: 'h264', width, height: 192 } }])
    // Picture n is of the brightness 20 + 2 n.
    const drawn = (picture: number) => drawnAt(paths[0]!, picture - 20, 20 + 2 * picture)
    for (const picture of [30, 37, 41]) {
      expect(drawn(picture).edge, `picture ${picture}`).toBeGreaterThan(25)
      expect(drawn(picture).middle, `picture ${picture}`).toBeLessThan(5)
    }
    for (const picture of [25, 55]) expect(drawn(picture).edge, `picture ${picture}`).toBeLessThan(5)
  })

  test('without anything seen it is the same without boxes', async () => {
    const file = await record({ name: 'empty', size: '320x192' })
    const { paths } = await cutPictures([[file, 0]], 33, 47, { looks: [] })
    expect(countsIn(paths[0]!)).toHaveLength(14)
  })
})
