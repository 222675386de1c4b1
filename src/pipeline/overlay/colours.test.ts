import { expect, test } from 'vitest'
import { colourOf, INK, PAPER, trackColours, yuvOf } from './colours.ts'

type Rgb = readonly [number, number, number]

/** How people without red or green cones see linear RGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const eyes: Record<string, readonly Rgb[]> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

test.each(Object.keys(eyes))('who sees %s distinguishes all tracks’ colours', (name) => {
  const seen = trackColours.map((colour) => labOf(mapped(eyes[name]!, linear(colour))))
  const distances = seen.flatMap((a, index) =>
    seen.slice(index + 1).map((b) => Math.hypot(...a.map((x, i) => x - b[i]!))),
  )
  // More than ten times what can just be distinguished side by side.
  expect(Math.min(...distances)).toBeGreaterThan(30)
})

test('a track keeps its colour, and the next one has another', () => {
  const person = { id: 12, className: 'person' }
  expect(colourOf({ ...person, className: 'car' })).toBe(colourOf(person))
  expect(colourOf({ ...person, id: 13 })).not.toBe(colourOf(person))
})

test('without tracking each class has a colour', () => {
  expect(colourOf({ id: 0, className: 'person' })).toBe(colourOf({ id: 0, className: 'person' }))
  expect(colourOf({ id: 0, className: 'person' })).not.toBe(colourOf({ id: 0, className: 'car' }))
})

test('text stands out from its strip', () => {
  expect(INK.y - PAPER.y).toBeGreaterThan(190)
  expect(INK).toEqual({ y: 235, u: 128, v: 128 })
})

test('primary colours are those of BT.709', () => {
  expect(yuvOf(0xff0000)).toEqual({ y: 63, u: 102, v: 240 })
  expect(yuvOf(0x0000ff)).toEqual({ y: 32, u: 240, v: 118 })
})

function linear(colour: number): Rgb {
  const channel = (shift: number) => {
    const value = ((colour >> shift) & 255) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(16), channel(8), channel(0)]
}

function mapped(matrix: readonly Rgb[], rgb: Rgb): Rgb {
  return matrix.map((row) => row.reduce((sum, share, index) => sum + share * rgb[index]!, 0)) as unknown as Rgb
}

/** CIE L*a*b* under D65. */
function labOf([r, g, b]: Rgb): Rgb {
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
