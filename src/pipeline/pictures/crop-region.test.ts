import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cropRegion, sizeWithin } from './crop-region.ts'

const picture = { width: 640, height: 360 }

describe('cropRegion', () => {
  test.each([
    {
      name: 'a tenth around the object, on even borders',
      box: { x: 101, y: 51, width: 50, height: 99 },
      region: { x: 96, y: 40, width: 60, height: 120 },
    },
    {
      name: 'no more than there is at the upper left',
      box: { x: 1, y: 0, width: 40, height: 40 },
      region: { x: 0, y: 0, width: 46, height: 44 },
    },
    {
      name: 'no more than there is at the lower right',
      box: { x: 600, y: 330, width: 40, height: 30 },
      region: { x: 596, y: 326, width: 44, height: 34 },
    },
    {
      name: 'the smallest piece for a point',
      box: { x: 10.5, y: 10.5, width: 0.1, height: 0.1 },
      region: { x: 10, y: 10, width: 2, height: 2 },
    },
    { name: 'nothing outside of the picture', box: { x: 700, y: 10, width: 20, height: 20 }, region: undefined },
  ])('$name', ({ box, region }) => expect(cropRegion(box, picture)).toEqual(region))

  test('whatever the box and the picture, the region is even and inside', () => {
    const side = fc.double({ min: -50, max: 700, noNaN: true })
    const length = fc.double({ min: 0, max: 700, noNaN: true })
    const size = fc.record({ width: fc.integer({ min: 1, max: 640 }), height: fc.integer({ min: 1, max: 360 }) })
    fc.assert(
      fc.property(fc.record({ x: side, y: side, width: length, height: length }), size, (box, within) => {
        const region = cropRegion(box, within)
        if (!region) return
        const { x, y, width, height } = region
        for (const value of [x, y, width, height]) expect(value % 2).toBe(0)
        expect(Math.min(x, y, width - 2, height - 2)).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(within.width)
        expect(y + height).toBeLessThanOrEqual(within.height)
      }),
    )
  })
})

test.each([
  [
    { width: 1000, height: 500 },
    { width: 256, height: 128 },
  ],
  [
    { width: 300, height: 900 },
    { width: 86, height: 256 },
  ],
  [
    { width: 100, height: 60 },
    { width: 100, height: 60 },
  ],
  [
    { width: 4, height: 2000 },
    { width: 2, height: 256 },
  ],
])('%o becomes %o', (region, size) => expect(sizeWithin(region, 256)).toEqual(size))
