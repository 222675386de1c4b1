import { spawnSync } from 'node:child_process'
import { avGetPixFmtFromName, Frame } from 'node-av'
import { expect } from 'vitest'
import { type Size } from '../../src/core/detection.ts'

/** Red, green and blue at a place of the picture, in parts of its sides. */
export type ColourAt = (x: number, y: number) => readonly [number, number, number]

/**
 * A picture as decoders make it: coded with an even size, of which the last column and row may be hidden. `filter` is what ffmpeg
 * does to it meanwhile; `colourAt` is asked for places of the coded picture.
 */
export function paintedFrame(format: string, shown: Size, colourAt: ColourAt, filter = 'null'): Frame {
  const coded = codedSize(shown)
  const raw = ['-f', 'rawvideo', '-s', `${coded.width}x${coded.height}`]
  const input = ['-v', 'error', ...raw, '-pix_fmt', 'rgb24', '-i', '-']
  const args = [...input, '-vf', filter, ...raw.slice(0, 2), '-pix_fmt', format, '-']
  const { stdout, stderr } = spawnSync('ffmpeg', args, { input: paintRgb(coded, colourAt), maxBuffer: 2 ** 26 })
  expect(stderr.toString()).toBe('')
  const frame = new Frame()
  frame.alloc()
  Object.assign(frame, { ...coded, format: avGetPixFmtFromName(format) })
  frame.getBuffer()
  let from = 0
  planesOf(format, coded).forEach(([rowBytes, rows], plane) => {
    for (let row = 0; row < rows; row++, from += rowBytes)
      stdout.copy(frame.data![plane]!, row * frame.linesize[plane]!, from, from + rowBytes)
  })
  expect(from).toBe(stdout.length)
  return Object.assign(frame, shown)
}

export function codedSize({ width, height }: Size): Size {
  return { width: width + (width % 2), height: height + (height % 2) }
}

function paintRgb({ width, height }: Size, colourAt: ColourAt): Buffer {
  const bytes = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) bytes.set(colourAt((x + 0.5) / width, (y + 0.5) / height), (y * width + x) * 3)
  return bytes
}

/** The planes of a format as raw video holds them: bytes of a row, rows. */
function planesOf(format: string, { width, height }: Size): [rowBytes: number, rows: number][] {
  const packed: Record<string, number> = { gray: 1, rgb24: 3, bgr24: 3, rgba: 4, rgb48be: 6 }
  if (packed[format]) return [[width * packed[format], height]]
  const bytes = /10le$/.test(format) ? 2 : 1
  const luma: [number, number] = [width * bytes, height]
  if (/^(nv12|p010le)$/.test(format)) return [luma, [width * bytes, height / 2]]
  const columns = /42[02]p/.test(format) ? width / 2 : width
  const rows = /4[24]0p/.test(format) ? height / 2 : height
  return [luma, [columns * bytes, rows], [columns * bytes, rows]]
}
