import { expect, test } from 'vitest'
import { type GreyPicture } from './grey-picture.ts'
import { createStillCamera } from './still-camera.ts'

const size = { width: 160, height: 120 }
const nothing = new Uint8Array((size.width / 2) * (size.height / 2))

/** Waves in both directions, whose places are known to a fraction of a pixel. */
function waves({ dx = 0, dy = 0, contrast = 40, offset = 0 } = {}): GreyPicture {
  const data = new Uint8Array(size.width * size.height)
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++)
      data[y * size.width + x] =
        128 + offset + contrast * Math.sin((x - dx) / 4) * Math.cos((y - dy) / 5) + 10 * Math.sin((x + y - dx - dy) / 9)
  return { data, ...size, stride: size.width }
}

function shiftTo(picture: GreyPicture, mask = nothing) {
  const camera = createStillCamera()
  camera.setReference(waves())
  return camera.shiftOf(picture, mask)
}

test('a shift of a tenth of a pixel is measured', () => {
  const shift = shiftTo(waves({ dx: 0.1, dy: -0.05 }))!
  expect(shift.x).toBeCloseTo(0.1, 1)
  expect(shift.y).toBeCloseTo(-0.05, 1)
})

test.each([
  { name: 'half a pixel', picture: waves({ dx: 0.5 }) },
  { name: 'five pixels', picture: waves({ dx: 5 }) },
  { name: 'a whole wave, which looks much the same', picture: waves({ dx: 8 * Math.PI }) },
  { name: 'another size', picture: { ...waves(), width: 158 } },
])('$name is no standing still', ({ picture }) => expect(shiftTo(picture)).toBeUndefined())

test('brighter everywhere is standing still', () => expect(shiftTo(waves({ offset: 9 }))).toBeDefined())

test('what is plain tells nothing', () => {
  const camera = createStillCamera()
  camera.setReference(waves({ contrast: 0.5 }))
  expect(
    camera.shiftOf({ ...waves(), data: new Uint8Array(size.width * size.height).fill(128) }, nothing),
  ).toBeUndefined()
})

test('what moves by itself is left out', () => {
  const picture = waves()
  const mask = Uint8Array.from(nothing)
  for (let y = 0; y < 110; y++)
    for (let x = 10; x < 60; x++) {
      picture.data[y * size.width + x]! += 20 * Math.sin(x)
      mask[(y >> 1) * (size.width / 2) + (x >> 1)] = 1
    }
  expect(shiftTo(picture)).toBeUndefined()
  expect(shiftTo(picture, mask)).toBeDefined()
})
