import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  box,
  claimingEdits,
  claimingRun,
  claimingSamples,
  claimingSound,
  numbers,
  rewriteBoxes,
} from '../../../test/builders/claiming-mp4.ts'
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
])('%s in a small file', (_name, make, isRefused) => {
  writeFileSync(file('claims.mp4'), make())
  const check = () => checkSampleClaims(file('claims.mp4'))
  if (isRefused) expect(check).toThrow('It claims to hold more than 4000000 pictures')
  else expect(check).not.toThrow()
})

test('sound in a QuickTime file, which has a handler for its data too, is counted by pieces', () => {
  const sound = claimingSound(file('silent.mp4'), 5_000_000, {})
  const dataHandler = box('hdlr', numbers(0), Buffer.from('dhlrurl '))
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
