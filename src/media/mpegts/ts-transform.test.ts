import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  inChunks,
  picturesIn,
  recordClip,
  type RecordedClip,
  soundsIn,
  timesIn,
  uneven,
} from '../../../test/support/recorded-clip.ts'
import { FragmentFault } from '../mp4/fragment-splitter.ts'
import { readMp4Header } from '../mp4/mp4-header.ts'
import { toTransportStream } from './ts-transform.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-ts-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const headerOf = (clip: RecordedClip) => readMp4Header(clip.bytes.subarray(0, clip.index.init))!

async function transform(clip: RecordedClip, bytes: Buffer, baseMs: number, sizeOf = () => 65_536): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of toTransportStream(inChunks(bytes, sizeOf), headerOf(clip), baseMs)) parts.push(part)
  return Buffer.concat(parts)
}

function save(bytes: Buffer): string {
  const file = join(folder, 'made.ts')
  writeFileSync(file, bytes)
  return file
}

/** Groups of pictures, one after the other. */
const groupsOf = ({ bytes, index }: RecordedClip) =>
  index.groups.map(({ byte }, at) => bytes.subarray(byte, index.groups[at + 1]?.byte ?? index.end))

describe.each(['h264', 'h265'] as const)('%s with sound', (codec) => {
  let clip: RecordedClip
  beforeAll(async () => void (clip = await recordClip(folder, { codec })), 60_000)

  test('pieces that are made each by itself play as one: the same pictures, the same sound, an even time', async () => {
    const pieces = await Promise.all(groupsOf(clip).map((group) => transform(clip, group, 3_600_000)))
    const file = save(Buffer.concat(pieces))
    expect(picturesIn(file)).toEqual(picturesIn(clip.file))
    expect(soundsIn(file).length).toBe(soundsIn(clip.file).length)
    const times = timesIn(file, 'v')
    expect(times[0]).toBeCloseTo(3_600, 3)
    expect(times.map((time, at) => Math.round((time - (times[at - 1] ?? time - 0.04)) * 1000))).toEqual(
      times.map(() => 40),
    )
    expect(Math.abs(timesIn(file, 'a')[0]! - 3_600)).toBeLessThan(0.1)
  })

  test('it is the same however the bytes come', async () => {
    const [, group] = groupsOf(clip)
    const whole = await transform(clip, group!, 0)
    for (const sizeOf of [() => 1, () => 13, () => 1_000, () => 1e9, uneven()])
      expect((await transform(clip, group!, 0, sizeOf)).equals(whole)).toBe(true)
  })

  test('every piece has whole packets, begins with its tables and says that nothing before goes on', async () => {
    const bytes = await transform(clip, groupsOf(clip)[0]!, 0)
    expect(bytes.length % 188).toBe(0)
    const seen = new Set<number>()
    for (let at = 0; at < bytes.length; at += 188) {
      expect(bytes[at]).toBe(0x47)
      const pid = bytes.readUInt16BE(at + 1) & 0x1fff
      if (seen.has(pid)) continue
      seen.add(pid)
      expect([bytes[at + 3]! & 0x20, bytes[at + 5]! & 0x80]).toEqual([0x20, 0x80])
    }
    expect([...seen]).toEqual([0, 0x1000, 0x100, 0x101])
  })
})

test('MP3 goes along, and sound of which a transport stream knows nothing is left out', async () => {
  const mp3 = await recordClip(folder, { sound: 'mp3', seconds: 2 })
  expect(soundsIn(save(await transform(mp3, mp3.bytes, 0))).length).toBeGreaterThan(70)
  const opus = await recordClip(folder, { sound: 'opus', seconds: 2 })
  const file = save(await transform(opus, opus.bytes, 0))
  expect(picturesIn(file)).toEqual(picturesIn(opus.file))
  expect(timesIn(file, 'a')).toEqual([])
}, 60_000)

test('whatever is no fragment is refused', async () => {
  const clip = await recordClip(folder, { sound: 'none', seconds: 2 })
  await expect(transform(clip, Buffer.from('this is not a film, however long it may be'), 0)).rejects.toThrow(
    FragmentFault,
  )
  const header = headerOf(clip)
  const unknown = { ...header, tracks: header.tracks.map((track) => ({ ...track, entry: Buffer.alloc(0) })) }
  await expect(
    toTransportStream(
      inChunks(clip.bytes, () => 100),
      unknown,
      0,
    ).next(),
  ).rejects.toThrow(FragmentFault)
}, 60_000)
