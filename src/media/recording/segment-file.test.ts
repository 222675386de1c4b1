import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInput } from '../../av/input.ts'
import { type FragmentIndex } from '../../core/recorded-time.ts'
import { recordClip } from '../../../test/support/recorded-clip.ts'
import { openSegmentFile } from './segment-file.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-segment-'))))
afterAll(() => rmSync(folder, { recursive: true }))

interface Recorded {
  readonly file: string
  readonly durationMs: number
  readonly index: FragmentIndex | null
}

/** Copies a clip into a segment, as often as asked for, and answers its file. */
async function record(source: string, times = 1): Promise<Recorded> {
  const file = join(folder, `${times}.mp4`)
  const input = await openInput(source, { timeoutMs: 5_000 })
  const video = input.video!
  const segment = openSegmentFile(file, [video])
  const packets = []
  for (let packet = await input.read(); packet; packet = await input.read())
    if (packet.streamIndex === video.index) packets.push(packet.clone()!)
  const { num, den } = video.timeBase
  const clipTicks = BigInt(Math.round((packets.length / 7) * (den / num)))
  for (let turn = 0n; turn < times; turn++)
    for (const packet of packets) {
      const copy = packet.clone()!
      copy.pts += turn * clipTicks
      copy.dts += turn * clipTicks
      segment.write(copy, video)
      copy.free()
    }
  const index = segment.close()
  await input.close()
  return { file, durationMs: segment.durationMs, index }
}

const entriesOf = (file: string) => {
  const bytes = readFileSync(file)
  const at = bytes.indexOf('sidx') - 4
  const count = bytes.readUInt16BE(at + 38)
  return Array.from({ length: count }, (_, index) => ({
    bytes: bytes.readUInt32BE(at + 40 + index * 12),
    ticks: bytes.readUInt32BE(at + 44 + index * 12),
  }))
}

const clip = 'assets/demo/people-walking.mp4'
test.each([
  ['every fragment has an entry', 1],
  ['in a long file several fragments share one', 8],
])('a closed segment begins with an index of all that follows: %s', async (_what, times) => {
  const { file, durationMs } = await record(clip, times)
  const bytes = readFileSync(file)
  const entries = entriesOf(file)
  const timescale = bytes.readUInt32BE(bytes.indexOf('sidx') + 12)
  expect(entries.reduce((sum, { ticks }) => sum + ticks, 0) / timescale).toBeCloseTo(durationMs / 1000, 1)

  // From the first fragment on each entry leads to the next fragment, and the last to what no player needs.
  let at = bytes.indexOf('moof') - 4
  expect(bytes.indexOf('sidx') - 4 + bytes.readUInt32BE(bytes.indexOf('sidx') - 4)).toBe(at)
  for (const entry of entries) {
    expect(bytes.toString('latin1', at + 4, at + 8)).toBe('moof')
    at += entry.bytes
  }
  expect(bytes.toString('latin1', at + 4, at + 8)).toBe('mfra')

  const probed = execFileSync('ffprobe', [
    ...[
      '-v',
      'error',
      '-count_packets',
      '-show_entries',
      'stream=nb_read_packets:format=duration',
      '-of',
      'csv=p=0',
      file,
    ],
  ])
  const [packets, seconds] = probed.toString().trim().split('\n').map(Number)
  expect(packets).toBe(168 * times)
  expect(seconds).toBeCloseTo(durationMs / 1000, 0)
})

test('a closed segment says where it can be cut: at keyframes at least two seconds apart', async () => {
  const { file, durationMs, index } = await record(clip, 3)
  const probed = execFileSync('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v:0', '-skip_frame', 'nokey'],
    ...['-show_entries', 'frame=pts_time', '-of', 'csv=p=0', file],
  ])
  const keyframes = probed
    .toString()
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
  const { init, codecs, width, height, tracks, groups, end, initHash } = index!
  const bytes = readFileSync(file)
  expect({ codecs, width, height, tracks }).toEqual({
    codecs: expect.stringMatching(/^avc1\.[0-9a-f]{6}$/) as string,
    width: 768,
    height: 576,
    tracks: [{ id: 1, kind: 'video', timescale: expect.any(Number) as number }],
  })
  expect(initHash).toMatch(/^[0-9a-f]{16}$/)
  expect(bytes.toString('latin1', init - bytes.readUInt32BE(bytes.indexOf('moov') - 4) + 4, init).slice(0, 4)).toBe(
    'moov',
  )
  expect(bytes.toString('latin1', end + 4, end + 8)).toBe('mfra')
  expect(groups[0]).toEqual({ ms: 0, byte: bytes.indexOf('moof') - 4 })
  expect(groups.length).toBeGreaterThan(2)
  for (const { ms, byte } of groups) {
    expect(bytes.toString('latin1', byte + 4, byte + 8)).toBe('moof')
    expect(keyframes.some((seconds) => Math.abs(seconds * 1000 - ms) <= 1)).toBe(true)
  }
  const lengths = groups.map(({ ms }, at) => (groups[at + 1]?.ms ?? durationMs) - ms)
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(2_000)
})

test('H.265 has the name that all players take', async () => {
  expect((await recordClip(folder, { codec: 'h265', sound: 'none', seconds: 1 })).index.codecs).toMatch(
    /^hvc1\.1\.6\.L/,
  )
})
