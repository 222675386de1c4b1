import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { box, u32 } from '../../../test/builders/mp4-boxes.ts'
import {
  inChunks,
  picturesIn,
  recordClip,
  type RecordedClip,
  soundsIn,
  timesIn,
  uneven,
} from '../../../test/support/recorded-clip.ts'
import { FragmentFault, MAX_MOOF_BYTES } from './fragment-splitter.ts'
import { type ShiftOf, shiftFragments } from './shift-fragments.ts'

let folder: string
let clip: RecordedClip
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-shift-'))
  clip = await recordClip(folder)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

async function shift(bytes: Buffer, shiftOf: ShiftOf, sizeOf = () => 65_536): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of shiftFragments(inChunks(bytes, sizeOf), shiftOf)) parts.push(part)
  return Buffer.concat(parts)
}

const byMs = (ms: number) => (trackId: number) =>
  BigInt(Math.round((ms * clip.index.tracks.find(({ id }) => id === trackId)!.timescale) / 1000))

function save(media: Buffer): string {
  const file = join(folder, 'shifted.mp4')
  writeFileSync(file, Buffer.concat([clip.bytes.subarray(0, clip.index.init), media]))
  return file
}

test('a group of pictures plays alone, at its place in another time; sound stays with it', async () => {
  const [, second, third] = clip.index.groups
  const media = await shift(clip.bytes.subarray(second!.byte, third!.byte), byMs(7_200_000))
  const file = save(media)
  const times = timesIn(file, 'v')
  expect(picturesIn(file)).toEqual(picturesIn(clip.file).slice(50, 100))
  expect(times[0]).toBeCloseTo(7_202, 3)
  expect(times.at(-1)).toBeCloseTo(7_203.96, 3)
  expect(soundsIn(clip.file)).toEqual(expect.arrayContaining(soundsIn(file)))
  expect(Math.abs(timesIn(file, 'a')[0]! - 7_202)).toBeLessThan(0.3)
})

test('a whole file goes through without what is no fragment', async () => {
  const media = await shift(clip.bytes, byMs(0))
  expect(media.equals(clip.bytes.subarray(clip.index.groups[0]!.byte, clip.index.end))).toBe(true)
})

test('nothing begins before 0', async () => {
  const first = clip.bytes.subarray(clip.index.groups[0]!.byte, clip.index.groups[1]!.byte)
  expect(timesIn(save(await shift(first, byMs(-60_000))), 'v')[0]).toBe(0)
})

test('it is the same however the bytes come', async () => {
  const whole = await shift(clip.bytes, byMs(60_000))
  for (const sizeOf of [() => 1, () => 7, () => 1_000, () => clip.bytes.length, uneven()])
    expect((await shift(clip.bytes, byMs(60_000), sizeOf)).equals(whole)).toBe(true)
})

const fragment = (tfdt: Buffer) => Buffer.concat([box('moof', box('traf', box('tfhd', u32(0, 1)), tfdt)), box('mdat')])

test('a time of 32 bits is shifted as far as it goes', async () => {
  const short = fragment(box('tfdt', u32(0, 2 ** 32 - 10)))
  expect((await shift(short, () => 9n)).readUInt32BE(short.length - 12)).toBe(2 ** 32 - 1)
  await expect(shift(short, () => 10n)).rejects.toThrow(FragmentFault)
})

test.each([
  ['text', Buffer.from('this is not a film, however long it may be')],
  ['the middle of a picture', Buffer.alloc(100, 7)],
  ['a box without a size', u32(0, 0)],
  ['a fragment with too long a header', Buffer.concat([u32(MAX_MOOF_BYTES + 1), Buffer.from('moof')])],
  ['media without a fragment', box('mdat', Buffer.alloc(9))],
])('%s is no fragment', async (_what, bytes) => expect(shift(bytes, () => 0n)).rejects.toThrow(FragmentFault))
