import { type Frame } from 'node-av'
import { expect, test } from 'vitest'
import { createCanvas, type RgbScaler } from './canvas.ts'
import { letterboxOf, wholePicture } from './letterbox.ts'

const frame = {} as Frame
const canvasSize = { width: 8, height: 6 }

/** Fills its target with ones. */
const scaler: RgbScaler = {
  toRgb(_frame, _region, { bytes, stride, size }) {
    for (let y = 0; y < size.height; y++) bytes.fill(1, y * stride, y * stride + size.width * 3)
  },
}

/** Which pixels show the picture (#) and which are padding (.); anything else is a mistake. */
function look(bytes: Uint8Array): string[] {
  return Array.from({ length: canvasSize.height }, (_, y) =>
    Array.from({ length: canvasSize.width }, (_, x) => {
      const pixel = bytes.subarray((y * canvasSize.width + x) * 3, (y * canvasSize.width + x) * 3 + 3).join()
      return pixel === '1,1,1' ? '#' : pixel === '127,127,127' ? '.' : '?'
    }).join(''),
  )
}

test('a picture lies in the top left corner, padding beside it, also where another shape was before', () => {
  const canvas = createCanvas(scaler, canvasSize, 127)
  const draw = (width: number, height: number) => {
    canvas.draw(frame, letterboxOf(wholePicture({ width, height }), canvasSize))
    return look(canvas.bytes)
  }
  const wide = ['########', '########', '........', '........', '........', '........']
  const tall = ['##......', '##......', '##......', '##......', '##......', '##......']
  expect(draw(400, 100)).toEqual(wide)
  expect(draw(100, 300)).toEqual(tall)
  expect(draw(400, 100)).toEqual(wide)
  expect(draw(400, 100)).toEqual(wide)
})

test('a picture that was scaled for a larger canvas is refused', () => {
  const canvas = createCanvas(scaler, canvasSize, 127)
  const letterbox = letterboxOf(wholePicture({ width: 100, height: 100 }), { width: 20, height: 20 })
  expect(() => canvas.draw(frame, letterbox)).toThrow('A picture of 20×20 does not fit a canvas of 8×6.')
})
