import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInput } from '../../av/input.ts'
import { openSegmentFile } from './segment-file.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-segment-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Copies a clip into a segment, as often as asked for, and answers its file. */
async function record(source: string, times = 1): Promise<{ file: string; durationMs: number }> {
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
  segment.close()
  await input.close()
  return { file, durationMs: segment.durationMs }
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
