import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { box, u32 } from '../../../test/builders/mp4-boxes.ts'
import { type FragmentWalk, walkFragments, walkFragmentsSync } from './fragment-walk.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-fmp4-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** One track with 1000 ticks a second. */
const moov = box('moov', box('trak', box('tkhd', u32(0, 0, 0, 1)), box('mdia', box('mdhd', u32(0, 0, 0, 1000)))))
const tfhd = (sampleDuration?: number) =>
  sampleDuration === undefined ? box('tfhd', u32(0x020000, 1)) : box('tfhd', u32(0x020008, 1, sampleDuration))
const fragment = (start: number, header: Buffer, trun: Buffer, bytes = 100) =>
  Buffer.concat([
    box('moof', box('mfhd', u32(0, 1)), box('traf', header, box('tfdt', u32(0, start)), trun)),
    box('mdat', Buffer.alloc(bytes)),
  ])
const equalSamples = (count: number) => box('trun', u32(0x000001, count, 0))
const ownDurations = (...durations: number[]) =>
  box('trun', u32(0x000300, durations.length), ...durations.map((duration) => u32(duration, 7)))

/** Both ways see the same. */
async function walk(content: Buffer): Promise<FragmentWalk> {
  const file = join(folder, 'x.mp4')
  writeFileSync(file, content)
  const handle = await open(file)
  const descriptor = openSync(file, 'r')
  const walked = await walkFragments(handle, content.length)
  expect(walkFragmentsSync(descriptor, content.length)).toEqual(walked)
  closeSync(descriptor)
  await handle.close()
  return walked
}

async function measure(content: Buffer) {
  const { durationMs, wholeBytes } = await walk(content)
  return { durationMs, wholeBytes }
}

test('a whole file is as long as its last fragment’s end', async () => {
  const content = Buffer.concat([
    box('ftyp', Buffer.alloc(8)),
    moov,
    fragment(0, tfhd(40), equalSamples(25)),
    fragment(1000, tfhd(), ownDurations(40, 60)),
  ])
  expect(await measure(content)).toEqual({ durationMs: 1100, wholeBytes: content.length })
})

test('a fragment that was cut at any byte is not counted', async () => {
  const whole = Buffer.concat([moov, fragment(0, tfhd(40), equalSamples(25))])
  const cut = Buffer.concat([whole, fragment(1000, tfhd(40), equalSamples(25))])
  for (let bytes = whole.length; bytes < cut.length; bytes++)
    expect(await measure(cut.subarray(0, bytes))).toEqual({ durationMs: 1000, wholeBytes: whole.length })
})

test('a fragment that cannot be read costs none of those behind it', async () => {
  const broken = Buffer.concat([box('moof', box('traf', tfhd(), box('tfdt', u32(0)))), box('mdat', Buffer.alloc(9))])
  const content = Buffer.concat([moov, broken, fragment(0, tfhd(40), equalSamples(25))])
  expect(await walk(content)).toMatchObject({
    durationMs: 1000,
    wholeBytes: content.length,
    fragments: [{ tracks: [] }, { tracks: [{ trackId: 1, startTicks: 0, endTicks: 1000 }] }],
  })
})

test('more samples than a fragment can have are not counted', async () => {
  const content = Buffer.concat([moov, fragment(0, tfhd(40), equalSamples(2 ** 31))])
  expect(await measure(content)).toEqual({ durationMs: 0, wholeBytes: content.length })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('this is not a film, however long it may be')],
  ['a box without end', u32(0, 0, 0)],
])('%s is no time at all', async (_name, content) =>
  expect(await measure(content)).toEqual({ durationMs: 0, wholeBytes: 0 }),
)
