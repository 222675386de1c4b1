import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { box, u32 } from '../../../test/builders/mp4-boxes.ts'
import { walkFragmentsSync } from '../mp4/fragment-walk.ts'
import { roomForIndex, writeSegmentIndex } from './segment-index.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-index-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const fragment = (trackId: number, startTicks: number) =>
  Buffer.concat([
    box('moof', box('traf', box('tfhd', u32(0, trackId)), box('tfdt', u32(0, startTicks)))),
    box('mdat', Buffer.alloc(100)),
  ])
const bytesOfOne = fragment(1, 0).length

/** Of track 1, with 1000 ticks a second. */
function indexed(durationMs: number, ...parts: Buffer[]): { before: Buffer; after: Buffer } {
  const file = join(folder, 'x.mp4')
  const before = Buffer.concat([box('moov'), ...parts])
  writeFileSync(file, before)
  const descriptor = openSync(file, 'r+')
  const walk = walkFragmentsSync(descriptor, before.length)
  writeSegmentIndex(descriptor, walk, { id: 1, timescale: 1_000 }, durationMs)
  closeSync(descriptor)
  return { before, after: readFileSync(file) }
}

test('every entry says how many bytes and ticks it has; what has nothing of the track belongs to the one before', () => {
  const parts = [roomForIndex(), fragment(1, 0), fragment(2, 7), fragment(1, 500)]
  const { before, after } = indexed(1_200, ...parts)
  expect(after.length).toBe(before.length)
  const at = after.indexOf('sidx') - 4
  expect(after.readUInt16BE(at + 38)).toBe(2)
  expect([after.readUInt32BE(at + 40), after.readUInt32BE(at + 44)]).toEqual([2 * bytesOfOne, 500])
  expect([after.readUInt32BE(at + 52), after.readUInt32BE(at + 56)]).toEqual([bytesOfOne, 700])
  expect(at + after.readUInt32BE(at)).toBe(8 + roomForIndex().length)
})

test.each([
  { name: 'without fragments', durationMs: 0, parts: [roomForIndex()] },
  { name: 'without room', durationMs: 1_000, parts: [fragment(1, 0)] },
  { name: 'whose times no index can hold', durationMs: 2 ** 33, parts: [roomForIndex(), fragment(1, 0)] },
  { name: 'that begins with media', durationMs: 1_000, parts: [roomForIndex(), box('mdat', Buffer.alloc(9))] },
])('a file $name is left as it is', ({ durationMs, parts }) => {
  const { before, after } = indexed(durationMs, ...parts)
  expect(after).toEqual(before)
})
