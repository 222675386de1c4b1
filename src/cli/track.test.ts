import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UsageError } from './command.ts'
import { track } from './track.ts'

const folder = mkdtempSync(join(tmpdir(), 'track-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Two that walk past each other, seen for two seconds at 10 frames a second. */
const detections = Array.from({ length: 20 }, (_, index) => [
  `${index + 1},-1,${100 + 5 * index},100,40,100,0.9,-1,-1,-1`,
  `${index + 1},-1,${400 - 5 * index},300,40,100,0.8,-1,-1,-1`,
])
  .flat()
  .join('\n')

function fileWith(text: string): string {
  const file = join(folder, 'det.txt')
  writeFileSync(file, text)
  return file
}

let written = ''
beforeEach(() => {
  written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

function expectTwoTracks(text: string): void {
  const rows = text.trimEnd().split('\n')
  expect(rows.length).toBeGreaterThan(30)
  for (const row of rows) expect(row).toMatch(/^\d+,[12],[\d.]+,[\d.]+,[\d.]+,[\d.]+,1,-1,-1,-1$/)
  expect(new Set(rows.map((row) => row.split(',')[1]))).toEqual(new Set(['1', '2']))
}

describe('aerie track', () => {
  test('gives the detections of a file identities', async () => {
    await track.run([fileWith(detections), '--fps', '10'])
    expectTwoTracks(written)
  })

  test('reads standard input', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([detections]) as never)
    await track.run(['-', '--fps', '10'])
    expectTwoTracks(written)
  })

  test('follows as a process with the same model would', async () => {
    // Four of its sizes from frame to frame, back and forth.
    const xs = [100, 200, 300, 400, 300, 200, 100, 200]
    const file = fileWith(xs.map((x, index) => `${index + 1},-1,${x},100,30,20,0.6`).join('\n'))
    await track.run([file, '--fps', '2'])
    expect(written).toBe('')
    await track.run([file, '--fps', '2', '--model', 'airborne', '--size', '1280x720'])
    expect(
      new Set(
        written
          .trimEnd()
          .split('\n')
          .map((row) => row.split(',')[1]),
      ),
    ).toEqual(new Set(['1']))
    await expect(track.run([file, '--model', 'nosuch'])).rejects.toThrow('nosuch')
  })

  test('prints nothing for a file without detections', async () => {
    await track.run([fileWith('')])
    expect(written).toBe('')
  })

  test.each([
    ['1,-1,1,1,1,1,0.9\n2,-1,banana,1,1,1,0.9', /^Line 2 has "banana" where a number is needed; a detection reads/],
    ['1,-1,1,1', /^Line 1 has 4 fields where at least 6 are needed/],
    ['\n\nhello,-1,1,1,1,1', /^Line 3 starts with "hello", which is no frame number/],
  ])('%j is refused with the number of the bad line', async (text, sentence) => {
    await expect(track.run([fileWith(text)])).rejects.toThrow(sentence)
    expect(written).toBe('')
  })

  test('says that a file is not there', async () => {
    await expect(track.run([join(folder, 'missing.txt')])).rejects.toThrow(/^There is no file .*missing\.txt\.$/)
  })

  test.each([
    [[], 'name one file of detections'],
    [['a', 'b'], 'name one file of detections'],
    [['a', '--fps', '0'], '--fps must be above 0'],
    [['a', '--size', '1080p'], '--size must be width and height'],
    [['a', '--fps', 'fast'], '--fps must be a number'],
  ])('%j is refused', async (args, sentence) => {
    await expect(track.run(args)).rejects.toThrow(UsageError)
    await expect(track.run(args)).rejects.toThrow(sentence)
  })
})
