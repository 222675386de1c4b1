import { describe, expect, test } from 'vitest'
import { type Detection } from '../../core/detection.ts'
import { cocoClasses } from './coco-classes.ts'
import { efficientdet } from './efficientdet.ts'
import { letterboxOf, wholePicture } from './letterbox.ts'
import { type DecoderOptions, type ModelOutputs } from './model-family.ts'

const canvas = { width: 100, height: 100 }
const picture = letterboxOf(wholePicture({ width: 200, height: 100 }), canvas)
const [person, car, bus, truck, gap] = [0, 2, 5, 7, 11]

interface Candidate {
  readonly score: number
  readonly output: number
  /** Offsets from the anchor: y, x, height, width. */
  readonly box?: readonly number[]
  /** Centre and size in fractions of the canvas: y, x, height, width. */
  readonly anchor: readonly number[]
}

function outputsOf(candidates: readonly Candidate[]): ModelOutputs {
  return {
    score: Float32Array.from(candidates, ({ score }) => score),
    class: Int32Array.from(candidates, ({ output }) => output),
    box: Float32Array.from(candidates.flatMap(({ box = [0, 0, 0, 0] }) => box)),
    anchor: Float32Array.from(candidates.flatMap(({ anchor }) => anchor)),
  }
}

function optionsFor(count: number): DecoderOptions {
  return {
    outputs: {
      score: { name: 'score', shape: [1, count] },
      class: { name: 'class', shape: [1, count] },
      box: { name: 'box', shape: [1, count, 4] },
      anchor: { name: 'anchor', shape: [1, count, 4] },
    },
    classes: cocoClasses,
    areAllClasses: true,
    confidence: 0.3,
    maxOverlap: 0.5,
    canvas,
  }
}

function decode(candidates: readonly Candidate[], options: { confidence?: number; wanted?: readonly string[] } = {}) {
  const decoder = efficientdet.createDecoder({ ...optionsFor(candidates.length), ...options })
  return decoder(outputsOf(candidates), picture)
}

/** x, y, width and height without the noise of 32-bit floats. */
function rounded(detection: Detection | undefined): number[] {
  const { x, y, width, height } = detection!.box
  return [x, y, width, height].map((value) => Math.round(value * 1000) / 1000)
}

const inTheMiddle = [0.25, 0.5, 0.2, 0.1]

describe('efficientdet', () => {
  test('a box without offsets is its anchor, in input pixels', () => {
    const [found] = decode([{ score: 0.9, output: person, anchor: inTheMiddle }])
    // Canvas: centre (50, 25), 10 wide, 20 high. The picture is twice as large.
    expect(rounded(found)).toEqual([90, 30, 20, 40])
    expect(found).toMatchObject({ confidence: Math.fround(0.9), classId: 1, className: 'person' })
  })

  test('offsets move the centre by parts of the anchor and stretch it exponentially', () => {
    const box = [0.5, -1, Math.log(0.5), Math.log(2)]
    const [found] = decode([{ score: 0.9, output: person, box, anchor: inTheMiddle }])
    // Canvas: centre (50 − 10, 25 + 10), 20 wide, 10 high.
    expect(rounded(found)).toEqual([60, 60, 40, 20])
  })

  test('what is less certain than asked is left out', () => {
    const apart = [0.1, 0.1, 0.1, 0.1]
    const candidates = [
      { score: 0.5, output: person, anchor: inTheMiddle },
      { score: 0.29, output: person, anchor: apart },
    ]
    expect(decode(candidates)).toHaveLength(1)
    expect(decode(candidates, { confidence: 0.2 })).toHaveLength(2)
  })

  test('only wanted classes are reported, and outputs without a meaning never', () => {
    const candidates = [
      { score: 0.9, output: gap, anchor: inTheMiddle },
      { score: 0.8, output: person, anchor: inTheMiddle },
      { score: 0.7, output: car, anchor: inTheMiddle },
    ]
    expect(decode(candidates).map(({ className }) => className)).toEqual(['person', 'car'])
    expect(decode(candidates, { wanted: ['car'] }).map(({ className }) => className)).toEqual(['car'])
  })

  test('one vehicle that looks like car, truck and bus is reported once, as what it most looks like', () => {
    const found = decode([
      { score: 0.9, output: truck, anchor: inTheMiddle },
      { score: 0.8, output: car, anchor: inTheMiddle },
      { score: 0.7, output: bus, anchor: inTheMiddle },
      { score: 0.6, output: person, anchor: inTheMiddle },
    ])
    expect(found.map(({ className }) => className)).toEqual(['truck', 'person'])
  })

  test('boxes are clipped to the picture, and those beside it dropped', () => {
    const found = decode([
      { score: 0.9, output: person, anchor: [0.5, 0, 0.2, 0.2] },
      { score: 0.8, output: person, anchor: [0.9, 0.5, 0.2, 0.2] },
    ])
    expect(found).toHaveLength(1)
    expect(rounded(found[0])).toEqual([0, 80, 20, 20])
  })

  test('a decoder remembers nothing of the picture before', () => {
    const decoder = efficientdet.createDecoder(optionsFor(1))
    const outputs = outputsOf([{ score: 0.9, output: person, anchor: inTheMiddle }])
    expect(decoder(outputs, picture)).toEqual(decoder(outputs, picture))
  })

  test('refuses outputs that do not belong together', () => {
    const options = optionsFor(5)
    const outputs = { ...options.outputs, anchor: { name: 'anchor', shape: [1, 4, 4] } }
    expect(() => efficientdet.createDecoder({ ...options, outputs })).toThrow(
      '"anchor" is 1×4×4, but 1×5×4 is expected',
    )
  })
})
