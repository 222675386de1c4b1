import { describe, expect, test } from 'vitest'
import { type Brightness, sharpnessOf } from './sharpness.ts'

/** Bars of ten pixels whose edges are `softness` pixels wide. */
function bars(softness: number, bits = 8): Brightness {
  const [width, height] = [120, 80]
  const step = bits === 8 ? 1 : 2
  const bytes = new Uint8Array(width * height * step)
  const values = new DataView(bytes.buffer)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const wave = Math.sin((x / 10) * Math.PI)
      const value = Math.round(128 + 100 * Math.max(-1, Math.min(1, (wave * 6) / softness)))
      if (bits === 8) bytes[y * width + x] = value
      else values.setUint16((y * width + x) * 2, value << (bits - 8), true)
    }
  return { bytes, stride: width * step, step, extraBits: bits - 8, width, height }
}
const box = { x: 10.3, y: 5.7, width: 90, height: 60 }

describe('sharpnessOf', () => {
  test('sharp edges are sharper than soft ones, and those than nothing at all', () => {
    const [sharp, soft, softer] = [1, 6, 24].map((softness) => sharpnessOf(bars(softness), box))
    expect(sharp).toBeGreaterThan(1.05 * soft!)
    expect(soft).toBeGreaterThan(1.05 * softer!)
    expect(sharp).toBeLessThan(1)
    const { bytes, ...facts } = bars(1)
    expect(sharpnessOf({ ...facts, bytes: bytes.fill(77) }, box)).toBeLessThan(0.5 * softer!)
  })

  test.each([10, 12, 16])('%i bits are as sharp as eight', (bits) => {
    expect(sharpnessOf(bars(3, bits), box)).toBeCloseTo(sharpnessOf(bars(3), box), 2)
  })

  test.each([
    { x: -20, y: -20, width: 60, height: 60 },
    { x: 100, y: 60, width: 60, height: 60 },
    { x: 0, y: 0, width: 120, height: 80 },
  ])('a box across the border is measured where the picture is: %o', (across) => {
    const sharpness = sharpnessOf(bars(2), across)
    expect(sharpness).toBeGreaterThan(0)
    expect(sharpness).toBeLessThan(1)
  })

  test.each([
    { x: 130, y: 10, width: 20, height: 20 },
    { x: 10, y: 10, width: 0, height: 0 },
  ])('a box with nothing in it has little: %o', (empty) => expect(sharpnessOf(bars(2), empty)).toBeCloseTo(1 / 9))
})
