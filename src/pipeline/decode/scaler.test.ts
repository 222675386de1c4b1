import { spawnSync } from 'node:child_process'
import { avGetPixFmtFromName, Frame } from 'node-av'
import { afterAll, describe, expect, test } from 'vitest'
import { type Box, type Size } from '../../core/detection.ts'
import { createGreyScaler } from './grey-scaler.ts'
import { createScaler } from './scaler.ts'

const scaler = createScaler()
afterAll(() => scaler.close())

/** Colours that change slowly, so that neither scaling nor halved chroma can change them much. */
function colourAt(x: number, y: number): [number, number, number] {
  return [40 + 160 * x, 60 + 120 * y, 200 - 100 * x * y]
}

function paintRgb({ width, height }: Size): Buffer {
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

/** A picture as decoders make it: coded with an even size, of which the last column and row may be hidden. */
function frameOf(format: string, shown: Size): Frame {
  const coded = codedSize(shown)
  const raw = ['-f', 'rawvideo', '-s', `${coded.width}x${coded.height}`]
  const args = ['-v', 'error', ...raw, '-pix_fmt', 'rgb24', '-i', '-', ...raw.slice(0, 2), '-pix_fmt', format, '-']
  const { stdout, stderr } = spawnSync('ffmpeg', args, { input: paintRgb(coded), maxBuffer: 2 ** 26 })
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

function codedSize({ width, height }: Size): Size {
  return { width: width + (width % 2), height: height + (height % 2) }
}

const whole = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height })

/** The largest difference, in steps of 256, between what was scaled and what was painted there. */
function largestError(bytes: Buffer, target: Size, region: Box, shown: Size): number {
  const picture = codedSize(shown)
  let worst = 0
  for (let y = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++) {
      const u = (region.x + ((x + 0.5) * region.width) / target.width) / picture.width
      const v = (region.y + ((y + 0.5) * region.height) / target.height) / picture.height
      colourAt(u, v).forEach((value, channel) => {
        worst = Math.max(worst, Math.abs(bytes[(y * target.width + x) * 3 + channel]! - value))
      })
    }
  }
  return worst
}

const size = { width: 360, height: 240 }
const odd = { width: 359, height: 241 }
const lowerRight = { x: 150, y: 100, width: 210, height: 140 }

describe('createScaler', () => {
  test.each([
    ['yuv420p', size, whole(size)],
    ['yuv420p', size, lowerRight],
    ['yuv420p', odd, whole(odd)],
    ['yuv420p', odd, { x: 150, y: 100, width: 209, height: 141 }],
    ['yuvj420p', size, lowerRight],
    ['yuv422p', size, lowerRight],
    ['yuvj422p', odd, whole(odd)],
    ['yuv444p', size, lowerRight],
    ['nv12', size, lowerRight],
    ['yuv420p10le', size, lowerRight],
    ['yuv422p10le', odd, whole(odd)],
    ['p010le', size, lowerRight],
    ['rgb24', odd, { x: 150, y: 100, width: 209, height: 141 }],
    ['bgr24', size, lowerRight],
    ['rgba', size, lowerRight],
    ['gbrp', size, lowerRight],
    ['rgb48be', size, lowerRight],
    ['yuv440p', size, lowerRight],
  ])('shows %s of %o in its colours, region %o', (format, picture, region) => {
    const frame = frameOf(format, picture)
    for (const target of [
      { width: 160, height: 107 },
      { width: 101, height: 67 },
      { width: region.width, height: region.height },
    ]) {
      const bytes = Buffer.alloc(target.width * target.height * 3)
      scaler.toRgb(frame, region, { bytes, stride: target.width * 3, size: target })
      expect(largestError(bytes, target, region, picture)).toBeLessThan(7)
    }
    frame.free()
  })

  test('writes nothing beside the target', () => {
    const frame = frameOf('yuv420p', odd)
    for (const target of [{ width: 101, height: 67 }, odd, { width: 400, height: 300 }]) {
      const stride = target.width * 3 + 50
      const bytes = Buffer.alloc((target.height + 1) * stride, 99)
      scaler.toRgb(frame, whole(odd), { bytes, stride, size: target })
      for (let y = 0; y < target.height; y++)
        expect(bytes.subarray(y * stride + target.width * 3, (y + 1) * stride).every((value) => value === 99)).toBe(
          true,
        )
      expect(bytes.subarray(target.height * stride).every((value) => value === 99)).toBe(true)
    }
    frame.free()
  })

  test.each([
    ['to the right', { x: 200, y: 0, width: 162, height: 240 }],
    ['below', { x: 0, y: 20, width: 360, height: 222 }],
    ['before it', { x: -2, y: 0, width: 100, height: 100 }],
    ['of nothing', { x: 0, y: 0, width: 0, height: 100 }],
    ['with an odd border', { x: 1, y: 0, width: 100, height: 100 }],
    ['with a broken pixel', { x: 0, y: 0, width: 100.5, height: 100 }],
  ])('refuses a region %s', (_name, region) => {
    const frame = frameOf('yuv420p', size)
    const target = { bytes: Buffer.alloc(100 * 100 * 3), stride: 300, size: { width: 100, height: 100 } }
    expect(() => scaler.toRgb(frame, region, target)).toThrow(/has no even borders inside a picture of 360×240/)
    frame.free()
  })

  test('refuses a target that is too small', () => {
    const frame = frameOf('yuv420p', size)
    const target = { bytes: Buffer.alloc(100), stride: 300, size: { width: 100, height: 100 } }
    expect(() => scaler.toRgb(frame, whole(size), target)).toThrow('needs 30000 bytes, but there are 100')
    frame.free()
  })

  test('serves more shapes than it keeps ready', () => {
    const frame = frameOf('yuv420p', size)
    for (let width = 20; width < 90; width++) {
      const target = { width, height: 50 }
      const bytes = Buffer.alloc(width * 50 * 3)
      scaler.toRgb(frame, whole(size), { bytes, stride: width * 3, size: target })
      expect(largestError(bytes, target, whole(size), size)).toBeLessThan(9)
    }
    frame.free()
  })
})

describe('createGreyScaler', () => {
  test.each([
    ['yuv420p', { width: 720, height: 480 }],
    ['nv12', { width: 720, height: 480 }],
    ['yuv422p10le', odd],
    ['p010le', size],
    ['gray', size],
    ['rgb24', size],
    ['gbrp', size],
  ])('shows the brightness of %s of %o', (format, picture) => {
    const frame = frameOf(format, picture)
    const grey = createGreyScaler(scaler, 200)(frame)
    expect(grey).toMatchObject({ width: 200, stride: 200, height: Math.round((200 * picture.height) / picture.width) })
    for (const [x, y] of [
      [20, 20],
      [100, 60],
      [180, 120],
    ] as const) {
      const [red, green, blue] = colourAt((x + 0.5) / grey.width, (y + 0.5) / grey.height)
      const full = 0.299 * red + 0.587 * green + 0.114 * blue
      // Video keeps its brightness between 16 and 235; motion is told from differences, so either will do.
      const isNear = [full, 16 + (full * 219) / 255].some((value) => Math.abs(grey.data[y * 200 + x]! - value) < 4)
      expect(isNear).toBe(true)
    }
    frame.free()
  })

  test('leaves small pictures at their size, and follows a change of it', () => {
    const toGrey = createGreyScaler(scaler, 320)
    const shapes = [
      { width: 160, height: 120 },
      { width: 640, height: 480 },
    ].map((picture) => {
      const frame = frameOf('yuv420p', picture)
      const { width, height } = toGrey(frame)
      frame.free()
      return { width, height }
    })
    expect(shapes).toEqual([
      { width: 160, height: 120 },
      { width: 320, height: 240 },
    ])
  })
})
