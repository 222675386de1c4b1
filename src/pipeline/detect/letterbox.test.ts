import { expect, test } from 'vitest'
import { letterboxOf, toInputBox, wholePicture } from './letterbox.ts'

const canvas = { width: 320, height: 320 }

test.each([
  { name: 'a wide picture fills the width', width: 768, height: 576, scaled: { width: 320, height: 240 } },
  { name: 'a tall picture fills the height', width: 1080, height: 1920, scaled: { width: 180, height: 320 } },
  { name: 'a small picture is enlarged', width: 160, height: 80, scaled: { width: 320, height: 160 } },
  { name: 'lengths are whole pixels', width: 1000, height: 333, scaled: { width: 320, height: 107 } },
  { name: 'a very flat picture keeps one line', width: 3000, height: 2, scaled: { width: 320, height: 1 } },
])('$name', ({ width, height, scaled }) => {
  expect(letterboxOf(wholePicture({ width, height }), canvas).scaled).toEqual(scaled)
})

test.each([
  { name: 'the whole scaled picture is the whole picture', from: [0, 0, 320, 240], to: [0, 0, 768, 576] },
  { name: 'a box inside is scaled back', from: [100, 50, 200, 150], to: [240, 120, 240, 240] },
  { name: 'a box over the border is clipped', from: [-10, -10, 10, 10], to: [0, 0, 24, 24] },
  { name: 'a box that reaches into the padding is clipped', from: [300, 200, 340, 300], to: [720, 480, 48, 96] },
  { name: 'a box on the padding has no area', from: [100, 250, 200, 300], to: [240, 576, 240, 0] },
])('$name', ({ from, to }) => {
  const letterbox = letterboxOf(wholePicture({ width: 768, height: 576 }), canvas)
  const [left = 0, top = 0, right = 0, bottom = 0] = from
  const { x, y, width, height } = toInputBox(letterbox, left, top, right, bottom)
  expect([x, y, width, height]).toEqual(to)
})

test('a box in a tile is placed where the tile lies, and stays inside it', () => {
  const letterbox = letterboxOf({ x: 400, y: 300, width: 640, height: 320 }, canvas)
  expect(toInputBox(letterbox, 10, 20, 30, 400)).toEqual({ x: 420, y: 340, width: 40, height: 280 })
})

test('both axes are scaled by what rounding left of them', () => {
  const letterbox = letterboxOf(wholePicture({ width: 1000, height: 333 }), canvas)
  expect(toInputBox(letterbox, 0, 0, 320, 107)).toEqual({ x: 0, y: 0, width: 1000, height: 333 })
})

test('a stretched picture covers the canvas, and its boxes are scaled back axis by axis', () => {
  const letterbox = letterboxOf({ x: 100, y: 0, width: 640, height: 160 }, canvas, 'stretch')
  expect(letterbox.scaled).toEqual(canvas)
  expect(toInputBox(letterbox, 80, 80, 160, 240)).toEqual({ x: 260, y: 40, width: 160, height: 80 })
})

test('refuses a region without an area', () => {
  expect(() => letterboxOf(wholePicture({ width: 0, height: 10 }), canvas)).toThrow(/0×10 pixels cannot be scaled/)
})
