import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { start } from '../../test/support/ffmpeg.ts'
import { writeModelFolder } from '../../test/models/model-folder.ts'
import { tinyDetr } from '../../test/models/tiny-models.ts'
import { UsageError } from './command.ts'
import { detect } from './detect.ts'

// Real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const demoClip = 'assets/demo/people-walking.mp4'
const folder = mkdtempSync(join(tmpdir(), 'detect-'))
const inFolder = (name: string) => join(folder, name)

interface Line {
  readonly file: string
  readonly frame: number
  readonly class_name: string
  readonly class_id: number
  readonly bbox: readonly number[]
  readonly confidence: number
}

async function ffmpeg(...args: string[]): Promise<void> {
  const { code, complaints } = await start('ffmpeg', ['-y', ...args]).finished
  expect(code, complaints).toBe(0)
}

beforeAll(async () => {
  await ffmpeg('-i', demoClip, '-frames:v', '12', '-c', 'copy', inFolder('short.mp4'))
  await ffmpeg('-i', demoClip, '-frames:v', '1', '-update', '1', inFolder('picture.png'))
  for (const name of ['picture.jpg', 'picture.bmp', 'picture.webp'])
    await ffmpeg('-i', inFolder('picture.png'), '-q:v', '2', '-frames:v', '1', '-update', '1', inFolder(name))
  await ffmpeg(
    '-i',
    inFolder('picture.png'),
    '-pix_fmt',
    'pal8',
    '-frames:v',
    '1',
    '-update',
    '1',
    inFolder('palette.png'),
  )
  copyFileSync(inFolder('picture.jpg'), inFolder('100%02d:odd name.jpg'))
  writeFileSync(inFolder('list.jpg'), '#EXTM3U\nfile:///etc/hostname\n')
  writeFileSync(inFolder('empty.mp4'), '')
  writeFileSync(inFolder('cut.mp4'), readFileSync(demoClip).subarray(0, 100_000))
})
afterAll(() => rmSync(folder, { recursive: true }))

let written: { stdout: string; stderr: string }
beforeEach(() => {
  written = { stdout: '', stderr: '' }
  vi.stubEnv('AERIE_DATA_DIR', folder)
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = undefined
})

async function lines(...args: string[]): Promise<Line[]> {
  await detect.run(args)
  const rows = written.stdout.split('\n').filter((line) => line !== '')
  return rows.map((line) => JSON.parse(line) as Line)
}

describe('aerie detect', () => {
  test('chooses tiles by itself if asked to, and says why and what it assumed', async () => {
    await lines(inFolder('picture.png'), '--model', 'overhead', '--tiles', 'auto')
    expect(written.stderr).toMatch(
      /^aerie: tiles 1x1: things of 3.2 m are \d+ pixels large .* assumes a height of 60 m/,
    )
  })

  test('"airborne" looks closely without being asked to', async () => {
    await lines(inFolder('picture.png'), '--model', 'airborne')
    expect(written.stderr).toContain(
      'aerie: tiles 2x1: how large things are is not known, so the picture keeps 100 % of its detail.',
    )
  })

  test('finds the people of a video in every frame', async () => {
    const found = await lines(inFolder('short.mp4'), '--classes', 'person')
    expect(new Set(found.map(({ frame }) => frame))).toEqual(new Set(Array.from({ length: 12 }, (_, i) => i + 1)))
    expect(found.length).toBeGreaterThan(12 * 4)
    for (const { file, class_name, class_id, bbox, confidence } of found) {
      expect({ file, class_name, class_id }).toEqual({ file: inFolder('short.mp4'), class_name: 'person', class_id: 1 })
      expect(confidence).toBeGreaterThanOrEqual(30)
      expect(confidence).toBeLessThanOrEqual(100)
      const [x, y, width, height] = bbox as [number, number, number, number]
      expect(x >= 0 && y >= 0 && x + width <= 768.01 && y + height <= 576.01).toBe(true)
      expect(bbox).toEqual(bbox.map((value) => Number(value.toFixed(2))))
    }
    expect(process.exitCode).toBeUndefined()
  })

  test('finds the same in a picture, whatever kind of file it is in', async () => {
    const names = ['picture.png', 'picture.jpg', 'picture.bmp', 'picture.webp', 'palette.png', '100%02d:odd name.jpg']
    const found = await lines(...names.map(inFolder), '--confidence', '50')
    const best = names.map((name) => found.find(({ file }) => file === inFolder(name)))
    for (const line of best) {
      expect(line).toMatchObject({ frame: 1, class_name: 'person' })
      line!.bbox.forEach((value, index) => expect(Math.abs(value - best[0]!.bbox[index]!)).toBeLessThan(12))
    }
    expect(process.exitCode).toBeUndefined()
  })

  test('finds more where the picture is cut into tiles', async () => {
    const person = ['--classes', 'person', inFolder('picture.png')]
    const whole = await lines(...person)
    written.stdout = ''
    expect((await lines('--tiles', '2x2', ...person)).length).toBeGreaterThan(whole.length)
  })

  test("tries a model of one's own by its name", async () => {
    await writeModelFolder(inFolder('models-of-my-own'), tinyDetr())
    vi.stubEnv('AERIE_MODELS_DIR', inFolder('models-of-my-own'))
    // It sees somebody in the middle of every picture: a quarter of 768 wide, half of 576 high.
    expect(await lines(inFolder('picture.png'), '--model', 'tiny-detr', '--confidence', '60')).toContainEqual({
      file: inFolder('picture.png'),
      frame: 1,
      class_name: 'person',
      class_id: 0,
      bbox: [288, 144, 192, 288],
      confidence: 70,
    })
  })

  test('tells of each file that cannot be read, and goes on with the others', async () => {
    const bad = ['missing.jpg', 'list.jpg', 'empty.mp4', '', 'cut.mp4']
    const found = await lines(...[...bad, 'picture.jpg'].map(inFolder))
    const sentences = written.stderr.trimEnd().split('\n')
    const kinds = 'is neither a video (mp4, mov, avi) nor a picture (jpg, png, bmp, webp), or is damaged.'
    expect(sentences).toEqual([
      `aerie: There is no file ${inFolder('missing.jpg')}.`,
      `aerie: ${inFolder('list.jpg')} ${kinds}`,
      `aerie: ${inFolder('empty.mp4')} ${kinds}`,
      `aerie: ${inFolder('')} is a folder; name the files in it.`,
      expect.stringMatching(/cut\.mp4 is damaged: 1 of \d+ pictures were left out\.$/),
    ])
    expect(process.exitCode).toBe(1)
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set([inFolder('cut.mp4'), inFolder('picture.jpg')]))
  })

  test.each([
    [[], 'name at least one file'],
    [['a.jpg', '--confidence', '101'], '--confidence must be from 0 to 100'],
    [['a.jpg', '--confidence', 'high'], '--confidence must be a number'],
    [['a.jpg', '--threads', '0'], '--threads must be from 1 to 64'],
    [['a.jpg', '--threads', '1.5'], '--threads must be a whole number'],
    [['a.jpg', '--speed', '9'], /there is no option --speed/],
  ])('%j is refused', async (args, sentence) => {
    await expect(detect.run(args)).rejects.toThrow(UsageError)
    await expect(detect.run(args)).rejects.toThrow(sentence)
  })

  test.each([
    [
      ['a.jpg', '--model', 'huge'],
      'There is no model "huge"; choose one of: fast, balanced, accurate, airborne, thermal, overhead.',
    ],
    [['a.jpg', '--classes', 'person,unicorn'], 'The model "fast" does not know unicorn'],
    [['a.jpg', '--tiles', '9x9'], '"9x9" is not a tile grid'],
  ])('%j is refused with what there is', async (args, sentence) => {
    await expect(detect.run(args)).rejects.toThrow(sentence)
  })
})
