import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start } from '../../../test/support/ffmpeg.ts'
import { writePng } from '../../../test/builders/png.ts'
import { PictureError, readPicture } from './read-picture.ts'
import { emptyPicture, type RgbPicture } from './rgb-picture.ts'

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const inFolder = (name: string) => join(folder, name)

/** Red at the left, blue at the right, and the lower half darker. */
function halves(): RgbPicture {
  const picture = emptyPicture(48, 32)
  for (let y = 0, at = 0; y < 32; y++)
    for (let x = 0; x < 48; x++, at += 3) picture.rgb[at + (x < 24 ? 0 : 2)] = y < 16 ? 220 : 120
  return picture
}
const pixel = ({ width, rgb }: RgbPicture, x: number, y: number) => [
  ...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
]

/** The JPEG with an EXIF segment that says how the camera was held, in either order of bytes. */
function withOrientation(jpeg: Buffer, orientation: number, isLittle: boolean): Buffer {
  const tiff = Buffer.alloc(26)
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  tiff.write(isLittle ? 'II' : 'MM', 'latin1')
  view.setUint16(2, 42, isLittle)
  view.setUint32(4, 8, isLittle)
  view.setUint16(8, 1, isLittle)
  view.setUint16(10, 0x0112, isLittle)
  view.setUint16(12, 3, isLittle)
  view.setUint32(14, 1, isLittle)
  view.setUint16(18, orientation, isLittle)
  const head = Buffer.from([0xff, 0xe1, 0, 8 + tiff.length, ...Buffer.from('Exif\0\0', 'latin1')])
  return Buffer.concat([jpeg.subarray(0, 2), head, tiff, jpeg.subarray(2)])
}

beforeAll(async () => {
  writePng(inFolder('halves.png'), halves())
  for (const name of ['halves.jpg', 'halves.webp']) {
    const { code, complaints } = await start('ffmpeg', [
      '-y',
      '-i',
      inFolder('halves.png'),
      '-q:v',
      '2',
      inFolder(name),
    ]).finished
    expect(code, complaints).toBe(0)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('reading a picture', () => {
  test('a PNG comes byte by byte as it was written', async () => {
    expect(await readPicture(inFolder('halves.png'))).toEqual(halves())
  })

  test.each(['halves.jpg', 'halves.webp'])('%s comes as it looks, with its whole range of brightness', async (name) => {
    const picture = await readPicture(inFolder(name))
    expect([picture.width, picture.height]).toEqual([48, 32])
    for (const [x, y] of [
      [8, 6],
      [40, 6],
      [8, 26],
      [40, 26],
    ] as const)
      pixel(picture, x, y).forEach((byte, channel) =>
        expect(Math.abs(byte - pixel(halves(), x, y)[channel]!)).toBeLessThan(14),
      )
  })

  test.each([
    { orientation: 1, size: [48, 32], redAt: [4, 4] },
    { orientation: 3, size: [48, 32], redAt: [44, 28] },
    { orientation: 6, size: [32, 48], redAt: [28, 4] },
    { orientation: 8, size: [32, 48], redAt: [4, 44] },
    { orientation: 99, size: [48, 32], redAt: [4, 4] },
  ])('a camera held as EXIF $orientation is turned upright', async ({ orientation, size, redAt }) => {
    const jpeg = readFileSync(inFolder('halves.jpg'))
    for (const isLittle of [true, false]) {
      writeFileSync(inFolder('turned.jpg'), withOrientation(jpeg, orientation, isLittle))
      const picture = await readPicture(inFolder('turned.jpg'))
      expect([picture.width, picture.height]).toEqual(size)
      const [red, , blue] = pixel(picture, redAt[0]!, redAt[1]!)
      expect(red! > 180 && blue! < 60).toBe(true)
    }
  })

  test('what is no picture, broken, gone, a folder or too small is reported in a sentence', async () => {
    const png = readFileSync(inFolder('halves.png'))
    writeFileSync(inFolder('text.jpg'), 'no picture')
    writeFileSync(inFolder('empty.jpg'), '')
    const jpeg = readFileSync(inFolder('halves.jpg'))
    writeFileSync(inFolder('cut.jpg'), jpeg.subarray(0, 60))
    // What is there of it could be shown, and the rest would be green.
    writeFileSync(inFolder('half.jpg'), jpeg.subarray(0, jpeg.length - 40))
    writePng(inFolder('tiny.png'), emptyPicture(5, 20))
    // It says that it is 30 000 pixels wide and high: nobody may try to hold that.
    const huge = Buffer.from(png)
    huge.writeUInt32BE(30_000, 16)
    huge.writeUInt32BE(30_000, 20)
    writeFileSync(inFolder('huge.png'), huge)
    const sentences = {
      'text.jpg': 'is no picture; give a JPEG, PNG or WebP file.',
      'empty.jpg': 'is no picture; give a JPEG, PNG or WebP file.',
      'cut.jpg': 'is damaged.',
      'half.jpg': 'is damaged.',
      'huge.png': 'is not read: A picture of 30000×30000 pixels is too large: up to 8192×4320 are taken',
      'tiny.png': 'is too small: 5×20 pixels.',
      '': 'is a folder; name the pictures in it.',
    }
    for (const [name, sentence] of Object.entries(sentences)) {
      const reading = readPicture(inFolder(name))
      await expect(reading).rejects.toThrow(PictureError)
      await expect(reading).rejects.toThrow(`${inFolder(name)} ${sentence}`)
    }
    await expect(readPicture(inFolder('gone.jpg'))).rejects.toThrow(`There is no file ${inFolder('gone.jpg')}.`)
  })
})
