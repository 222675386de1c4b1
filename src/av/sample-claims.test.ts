import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  claimingEdits,
  claimingProtection,
  claimingRun,
  claimingSamples,
  claimingSound,
  claimingTrack,
  rewriteBoxes,
} from '../../test/builders/claiming-mp4.ts'
import { box, u32 } from '../../test/builders/mp4-boxes.ts'
import { checkSampleClaims } from './sample-claims.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-claims-'))
const file = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(() => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25', '-f', 'lavfi', '-i', 'sine', '-t', '2']
  const coded = [...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const make = (name: string, ...args: string[]) =>
    execFileSync('ffmpeg', ['-v', 'error', ...coded, ...args, file(name)])
  make('plain.mp4', '-c:a', 'aac')
  make('silent.mp4', '-an')
  make('plain-sound.mov', '-c:a', 'pcm_s16le')
  make('fragmented.mp4', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-g', '5')
  make('plain.avi', '-c:a', 'mp3')
})

test.each(['plain.mp4', 'silent.mp4', 'plain-sound.mov', 'fragmented.mp4', 'plain.avi'])('%s is taken', (name) =>
  expect(() => checkSampleClaims(file(name))).not.toThrow(),
)

test.each([
  ['four million samples', () => claimingSamples(file('silent.mp4'), 4_000_000), false],
  ['one more', () => claimingSamples(file('silent.mp4'), 4_000_001), true],
  ['as many as can be written', () => claimingSamples(file('silent.mp4'), 0xffff_ffff), true],
  ['edits that repeat few', () => claimingEdits(file('silent.mp4'), 1000, 3), false],
  ['edits that repeat many', () => claimingEdits(file('silent.mp4'), 20_000, 5000), true],
  ['plain sound', () => claimingSound(file('silent.mp4'), 400_000_000, {}), false],
  ['what may be sound', () => claimingSound(file('silent.mp4'), 400_000_000, { hdlr: null }), true],
  ['sound of unknown length', () => claimingSound(file('silent.mp4'), 400_000_000, { stts: null }), true],
  ['a fragment without a table', () => claimingRun(file('fragmented.mp4'), 5_000_000), true],
  ['encryption of few', () => claimingProtection(file('silent.mp4'), 50), false],
  ['encryption of many', () => claimingProtection(file('silent.mp4'), 5_000_000), true],
])('%s in a small file', (_name, make, isRefused) => {
  writeFileSync(file('claims.mp4'), make())
  const check = () => checkSampleClaims(file('claims.mp4'))
  if (isRefused) expect(check).toThrow('It claims to hold more than 4000000 pictures')
  else expect(check).not.toThrow()
})

test('sound in a QuickTime file, which has a handler for its data too, is counted by pieces', () => {
  const sound = claimingSound(file('silent.mp4'), 5_000_000, {})
  const dataHandler = box('hdlr', u32(0), Buffer.from('dhlrurl '))
  const withBoth = rewriteBoxes(sound, (type, body) => (type === 'minf' ? box(type, dataHandler, body) : undefined))
  writeFileSync(file('quicktime.mov'), withBoth)
  expect(() => checkSampleClaims(file('quicktime.mov'))).not.toThrow()
})

test('what is not whole, nested without end or compressed is read no further than it goes', () => {
  const whole = claimingSamples(file('silent.mp4'), 10)
  for (let length = 0; length < Math.min(whole.length, 3000); length += 7) {
    writeFileSync(file('cut.mp4'), whole.subarray(0, length))
    expect(() => checkSampleClaims(file('cut.mp4'))).not.toThrow()
  }
  let nested: Buffer = Buffer.alloc(0)
  for (let depth = 0; depth < 2000; depth++) nested = box('mdia', nested)
  writeFileSync(file('nested.mp4'), box('moov', box('trak', nested)))
  expect(() => checkSampleClaims(file('nested.mp4'))).not.toThrow()
  const hidden = rewriteBoxes(whole, (type, body) => (type === 'moov' ? box('moov', box('cmov', body)) : undefined))
  writeFileSync(file('hidden.mp4'), hidden)
  expect(() => checkSampleClaims(file('hidden.mp4'))).toThrow('Its header is compressed')
})

/** The file as it is, and something more at the end of its header. */
const withinMoov = (...more: Buffer[]) =>
  rewriteBoxes(readFileSync(file('silent.mp4')), (type, body) =>
    type === 'moov' ? box('moov', body, ...more) : undefined,
  )
const atEnd = (...more: Buffer[]) => Buffer.concat([readFileSync(file('silent.mp4')), ...more])
const bomb = (wrap?: (minf: Buffer) => Buffer) => claimingTrack(file('silent.mp4'), 26_000_000, wrap)
const mvhd = box('mvhd', Buffer.alloc(100))
const album = (type: string, ...body: Buffer[]) => box('meta', Buffer.alloc(4), handler('pict'), box(type, ...body))
const handler = (kind: string) => box('hdlr', Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13))

test.each([
  ['a header in the header', () => withinMoov(box('moov', bomb()))],
  ['a header in metadata', () => withinMoov(box('udta', box('moov', bomb())))],
  ['a header in a box of the file', () => atEnd(box('udta', box('moov', bomb())))],
  ['a header under another name', () => atEnd(box('udta', box('hoov', mvhd, bomb())))],
  ['a track in a track', () => withinMoov(box('trak', bomb()))],
])('%s is refused, as no program writes it', (_name, make) => {
  writeFileSync(file('nested.mp4'), make())
  expect(() => checkSampleClaims(file('nested.mp4'))).toThrow('as no program does it')
})

const others = [
  'dinf',
  'udta',
  'ilst',
  'tref',
  'wave',
  'sinf',
  'schi',
  'mvex',
  'moof',
  'traf',
  'mdia',
  'minf',
  'stbl',
  'edts',
]
test.each<[string, () => Buffer]>([
  ['a second header', () => atEnd(box('moov', mvhd, bomb()))],
  ['a header that was overwritten', () => atEnd(box('free', mvhd, bomb()))],
  ['one under another name', () => atEnd(box('hoov', mvhd, bomb()))],
  ['a track in the file itself', () => atEnd(bomb())],
  ...others.map((type): [string, () => Buffer] => [
    `a track's tables in ${type}`,
    () => withinMoov(bomb((minf) => box(type, minf))),
  ]),
  ['tables in metadata', () => withinMoov(bomb((minf) => box('meta', Buffer.alloc(4), handler('mdir'), minf)))],
  ['tables in metadata without a version', () => withinMoov(bomb((minf) => box('meta', handler('mdir'), minf)))],
  ['tables in the description of samples', () => withinMoov(bomb((minf) => box('stsd', Buffer.alloc(94), minf)))],
  ['items of an album', () => atEnd(album('iinf', u32(0x100_0000, 5_000_000)))],
  ['places of its items', () => atEnd(album('iloc', u32(0x200_0000), Buffer.alloc(2), u32(5_000_000)))],
  ['a run outside a fragment', () => atEnd(box('traf', box('trun', Buffer.from('000000007fffffff', 'hex'))))],
])('%s: what it claims is counted', (_name, make) => {
  writeFileSync(file('hidden.mp4'), make())
  expect(() => checkSampleClaims(file('hidden.mp4'))).toThrow('It claims to hold more than 4000000 pictures')
})

test('what editors leave is taken: padding, metadata, a cover, a second header', () => {
  const meta = box('meta', Buffer.alloc(4), handler('mdir'), box('ilst', box('covr', Buffer.alloc(1_000_000, 'stsz'))))
  const padding = box('free', Buffer.alloc(1_000_000))
  writeFileSync(file('edited.mp4'), Buffer.concat([withinMoov(box('udta', meta), padding), padding]))
  expect(() => checkSampleClaims(file('edited.mp4'))).not.toThrow()
})

test('more tables than a file has are not gathered', () => {
  writeFileSync(file('tables.mp4'), box('moov', box('trak', Buffer.concat(Array<Buffer>(100_000).fill(box('stsz'))))))
  expect(() => checkSampleClaims(file('tables.mp4'))).toThrow('too many pieces')
})
