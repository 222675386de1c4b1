import { describe, expect, test } from 'vitest'
import { type Box, type Detection } from '../../core/detection.ts'
import { mergeRegions } from './tile-merge.ts'

// A picture of 1800×900 in 2×2 tiles of 1000×500, which share 800…1000 and 400…500.
const picture = { width: 1800, height: 900 }
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })
const whole = box(0, 0, 1800, 900)
const topLeft = box(0, 0, 1000, 500)
const topRight = box(800, 0, 1000, 500)
const bottomLeft = box(0, 400, 1000, 500)
const bottomRight = box(800, 400, 1000, 500)

const classNames = ['person', 'car', 'truck', 'bus', 'drone', 'bird', 'airplane']
const seen = (at: Box, confidence: number, className = 'person'): Detection => ({
  box: at,
  confidence,
  classId: classNames.indexOf(className),
  className,
})
const merge = (...found: readonly (readonly [region: Box, ...detections: Detection[]])[]) =>
  mergeRegions(
    picture,
    found.map(([region, ...detections]) => ({ region, detections })),
  )

describe('mergeRegions', () => {
  test('an object that two tiles saw whole is reported once, by the surer', () => {
    const surer = seen(box(852, 100, 50, 100), 0.9)
    expect(merge([topLeft, seen(box(850, 100, 50, 100), 0.6)], [topRight, surer])).toEqual([surer])
  })

  test('boxes of two scales are one object at a smaller overlap than boxes of one scale', () => {
    // 100 × 60 inside 150 × 100: an overlap of 0.4.
    const [large, small] = [seen(box(100, 100, 150, 100), 0.8, 'car'), seen(box(120, 120, 100, 60), 0.5, 'car')]
    expect(merge([whole, small], [topLeft, large])).toEqual([large])
    expect(merge([topLeft, large, small])).toEqual([large, small])
  })

  test('a box that lies in a surer one is the same object, where nothing stands before another; the closer look boxes it best', () => {
    const [surer, inside] = [seen(box(100, 100, 40, 40), 0.6, 'drone'), seen(box(110, 110, 20, 20), 0.4, 'drone')]
    const found = [
      { region: whole, detections: [surer] },
      { region: topLeft, detections: [inside] },
    ]
    expect(mergeRegions(picture, found, 0.7)).toEqual([{ ...inside, confidence: 0.6 }])
    const inOne = [{ region: whole, detections: [surer, inside] }]
    expect(mergeRegions(picture, inOne, 0.7)).toEqual([surer])
    expect(mergeRegions(picture, found)).toEqual([surer, inside])
  })

  test('a closer look lends its box, not its class, to what another look was surer of', () => {
    const [surer, closer] = [seen(box(100, 100, 40, 40), 0.6, 'drone'), seen(box(110, 110, 20, 20), 0.4, 'bird')]
    const found = [
      { region: whole, detections: [surer] },
      { region: topLeft, detections: [closer] },
    ]
    expect(mergeRegions(picture, found, 0.7)).toEqual([{ ...surer, box: closer.box }])
  })

  test('objects apart all stay, the surest first', () => {
    const far = seen(box(100, 100, 50, 50), 0.5)
    const near = seen(box(1500, 700, 50, 50), 0.8)
    expect(merge([topLeft, far], [bottomRight, near])).toEqual([near, far])
  })

  test('a piece at a border yields to the tile that shows the object whole', () => {
    // The object is 940…1060; the left tile ends at 1000.
    const piece = seen(box(940, 100, 60, 100), 0.8)
    const object = seen(box(940, 100, 120, 100), 0.7)
    expect(merge([topLeft, piece], [topRight, object])).toEqual([{ ...object, confidence: 0.8 }])
  })

  test('two pieces of an object longer than the shared strip become one box', () => {
    // The object is 700…1200: neither tile shows all of it, and nobody else saw it.
    const left = seen(box(700, 100, 300, 100), 0.6, 'truck')
    const right = seen(box(802, 104, 398, 96), 0.8, 'truck')
    expect(merge([topLeft, left], [topRight, right])).toEqual([{ ...right, box: box(700, 100, 500, 100) }])
  })

  test('pieces are not joined when the whole picture showed the object', () => {
    const object = seen(box(705, 100, 490, 100), 0.5, 'bus')
    const left = seen(box(700, 100, 300, 100), 0.6, 'truck')
    const right = seen(box(802, 104, 398, 96), 0.8, 'truck')
    const found = merge([whole, object], [topLeft, left], [topRight, right])
    // The surest look names it.
    expect(found).toEqual([{ ...right, box: object.box }])
  })

  test.each([
    { name: 'by one border', piece: box(970, 200, 30, 24) },
    { name: 'by two borders', piece: box(970, 476, 30, 24) },
  ])('a faint box of half the picture explains no small piece that is cut $name', ({ piece }) => {
    const faint = seen(box(500, 100, 900, 600), 0.1, 'airplane')
    const drone = seen(piece, 0.7, 'drone')
    expect(merge([whole, faint], [topLeft, drone])).toEqual([drone, faint])
  })

  test('the four pieces of an object in the middle become one box', () => {
    // The object is 700…1100 by 300…600.
    const found = merge(
      [topLeft, seen(box(700, 300, 300, 200), 0.5)],
      [topRight, seen(box(800, 300, 300, 200), 0.6)],
      [bottomLeft, seen(box(700, 400, 300, 200), 0.7)],
      [bottomRight, seen(box(800, 400, 300, 200), 0.8)],
    )
    expect(found).toEqual([seen(box(700, 300, 400, 300), 0.8)])
  })

  test('pieces that do not agree along the border are two objects', () => {
    const left = seen(box(900, 100, 100, 50), 0.6)
    const right = seen(box(802, 130, 150, 300), 0.8)
    expect(merge([topLeft, left], [topRight, right])).toEqual([right, left])
  })

  test('pieces of different kinds stay apart', () => {
    const person = seen(box(900, 100, 100, 100), 0.6)
    const car = seen(box(802, 100, 150, 100), 0.8, 'car')
    expect(merge([topLeft, person], [topRight, car])).toEqual([car, person])
  })

  test('a small object in front of a large piece does not make it vanish', () => {
    const piece = seen(box(600, 100, 400, 300), 0.7, 'bus')
    const car = seen(box(700, 300, 100, 80), 0.8, 'car')
    expect(merge([topLeft, piece, car])).toEqual([car, piece])
  })

  test("the picture's own border does not cut", () => {
    const left = seen(box(0, 100, 50, 100), 0.6)
    const [found] = merge([topLeft, left], [bottomLeft])
    expect(found).toEqual(left)
  })

  test('nothing found is nothing reported', () => expect(merge([whole], [topLeft])).toEqual([]))
})
