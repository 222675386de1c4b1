import { expect, test } from 'vitest'
import { flattenQuad } from './flatten-quad.ts'
import { emptyPicture, type RgbPicture } from './rgb-picture.ts'
import { scalePicture, wholeOf } from './scale-picture.ts'

/** Brightness grows to the right and down, so that each place can be recognised. */
function ramp(width: number, height: number): RgbPicture {
  const picture = emptyPicture(width, height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3)
      picture.rgb.set([(255 * (x + 0.5)) / width, (255 * (y + 0.5)) / height, 7], at)
  return picture
}

test.each([
  [0.25, 'smaller'],
  [3, 'larger'],
  [1, 'the same'],
])('a picture %f times as large (%s) shows the same at the same place', (factor) => {
  const size = { width: Math.round(64 * factor), height: Math.round(48 * factor) }
  const scaled = scalePicture(ramp(64, 48), wholeOf({ width: 64, height: 48 }), size)
  const wanted = ramp(size.width, size.height)
  // At the edges there is nothing to blend with when it is enlarged.
  const differences = Array.from(scaled.rgb, (byte, index) => Math.abs(byte - wanted.rgb[index]!))
  expect(differences.reduce((max, difference) => Math.max(max, difference))).toBeLessThanOrEqual(4)
})

test('a part of a picture is cut out', () => {
  const part = scalePicture(ramp(64, 48), { x: 16, y: 12, width: 32, height: 24 }, { width: 32, height: 24 })
  expect([...part.rgb.subarray(0, 3)]).toEqual([
    ...ramp(64, 48).rgb.subarray(3 * (12 * 64 + 16), 3 * (12 * 64 + 16) + 3),
  ])
})

test('every pixel counts when a picture gets smaller', () => {
  const stripes = emptyPicture(64, 8)
  for (let at = 0; at < stripes.rgb.length; at++) stripes.rgb[at] = Math.floor(at / 3) % 2 === 0 ? 200 : 0
  const { rgb } = scalePicture(stripes, wholeOf(stripes), { width: 8, height: 2 })
  for (const byte of rgb) expect(Math.abs(byte - 100)).toBeLessThan(15)
})

test('a quad is seen straight on, corner to corner', () => {
  const quad = [
    { x: 20, y: 10 },
    { x: 90, y: 20 },
    { x: 84, y: 52 },
    { x: 16, y: 40 },
  ] as const
  const flat = flattenQuad(ramp(128, 64), quad, { width: 40, height: 20 })
  const at = (x: number, y: number) => [...flat.rgb.subarray(3 * (y * 40 + x), 3 * (y * 40 + x) + 2)]
  const wanted = quad.map(({ x, y }) => [(255 * x) / 128, (255 * y) / 64])
  for (const [index, [x, y]] of (
    [
      [0, 0],
      [39, 0],
      [39, 19],
      [0, 19],
    ] as const
  ).entries())
    at(x, y).forEach((byte, channel) => expect(Math.abs(byte - wanted[index]![channel]!)).toBeLessThan(6))
})

test('beyond the edge a picture goes on as it ends', () => {
  const quad = [
    { x: -40, y: -20 },
    { x: 200, y: -20 },
    { x: 200, y: 100 },
    { x: -40, y: 100 },
  ] as const
  const flat = flattenQuad(ramp(128, 64), quad, { width: 24, height: 12 })
  expect([...flat.rgb.subarray(0, 3)]).toEqual([...ramp(128, 64).rgb.subarray(0, 3)])
})
