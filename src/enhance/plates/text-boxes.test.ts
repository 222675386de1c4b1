import { describe, expect, test } from 'vitest'
import { centreOf, heightOf, widthOf } from '../picture/quad.ts'
import { textBoxes, type TextMap } from './text-boxes.ts'

/** A map with one bar of text: its middle, its length and height, its turn in degrees and how sure it is. */
function mapWith(
  ...bars: readonly { x: number; y: number; width: number; height: number; turn?: number; value?: number }[]
): TextMap {
  const [width, height] = [160, 96]
  const values = new Float32Array(width * height)
  for (const { x, y, width: length, height: thickness, turn = 0, value = 0.9 } of bars) {
    const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
    for (let at = 0; at < values.length; at++) {
      const [dx, dy] = [(at % width) + 0.5 - x, Math.floor(at / width) + 0.5 - y]
      const [along, across] = [dx * cos + dy * sin, dy * cos - dx * sin]
      if (Math.abs(along) <= length / 2 && Math.abs(across) <= thickness / 2) values[at] = value
    }
  }
  return { width, height, values }
}

describe('the boxes of text', () => {
  test('a bar becomes its rectangle, grown by area × 1.5 ÷ circumference on every side', () => {
    const [box, ...others] = textBoxes(mapWith({ x: 80, y: 48, width: 60, height: 12 }))
    expect(others).toEqual([])
    expect(box!.score).toBeCloseTo(0.9)
    const growth = (60 * 12 * 1.5) / (2 * (60 + 12))
    expect(widthOf(box!.quad)).toBeCloseTo(60 + 2 * growth, 1)
    expect(heightOf(box!.quad)).toBeCloseTo(12 + 2 * growth, 1)
    expect(centreOf(box!.quad)).toEqual({ x: expect.closeTo(80), y: expect.closeTo(48) })
  })

  test.each([-35, -12, 8, 30])('a bar turned by %i° keeps its turn, and reads from left to right', (turn) => {
    const [box] = textBoxes(mapWith({ x: 80, y: 48, width: 80, height: 14, turn }))
    const [topLeft, topRight] = box!.quad
    expect((Math.atan2(topRight.y - topLeft.y, topRight.x - topLeft.x) * 180) / Math.PI).toBeCloseTo(turn, -0.5)
    expect(topRight.x).toBeGreaterThan(topLeft.x)
    expect(widthOf(box!.quad)).toBeGreaterThan(heightOf(box!.quad) * 2)
  })

  test('bars apart are boxes of their own, the largest first', () => {
    const boxes = textBoxes(mapWith({ x: 40, y: 20, width: 30, height: 8 }, { x: 100, y: 70, width: 70, height: 16 }))
    expect(boxes.map(({ quad }) => Math.round(centreOf(quad).x))).toEqual([100, 40])
  })

  test('what is unsure, below the threshold or a speck is none', () => {
    expect(textBoxes(mapWith({ x: 80, y: 48, width: 60, height: 12, value: 0.45 }))).toEqual([])
    expect(textBoxes(mapWith({ x: 80, y: 48, width: 60, height: 12, value: 0.29 }))).toEqual([])
    expect(textBoxes(mapWith({ x: 80, y: 48, width: 2, height: 2 }))).toEqual([])
  })
})
