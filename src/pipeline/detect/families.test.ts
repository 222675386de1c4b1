import { describe, expect, test, vi } from 'vitest'
import { writeModelFolder } from '../../../test/models/model-folder.ts'
import {
  canvas,
  tinyAerie,
  tinyDetr,
  tinyEfficientdet,
  tinyFinishedDetr,
  type TinyModel,
  tinyRfDetr,
  tinyYolov8,
  tinyYolox,
} from '../../../test/models/tiny-models.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createDetector, type DetectorOptions } from './detector.ts'
import { letterboxOf, wholePicture } from './letterbox.ts'

// Real sessions: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000 })

const folder = useTemporaryFolder('families-')

/** On a canvas of 64×32 it is half as large when its aspect is kept, and covers only the upper 16 lines. */
const picture = { width: 128, height: 32 }
const [red, green, blue] = [51, 102, 204]

/** What a model finds: class, confidence, x, y, width, height. */
async function found({ onnx, json }: TinyModel, options: Partial<DetectorOptions> = {}, changes: object = {}) {
  const model = { onnx, json: { ...json, ...changes } }
  await writeModelFolder(folder(), model)
  const detector = await createDetector({
    model: String(json['name']),
    modelsDir: folder(),
    cacheDir: folder(),
    confidence: 0.2,
    ...options,
  })
  try {
    expect(detector.inputSize).toEqual(canvas)
    const letterbox = letterboxOf(wholePicture(picture), detector.inputSize, detector.fit)
    const colours = new Uint8Array(canvas.width * canvas.height * 3).map((_, at) => [red, green, blue][at % 3]!)
    const detections = await detector.detect(colours, letterbox)
    const again = await detector.detect(colours, letterbox)
    expect(again).toEqual(detections)
    return detections.map(({ className, confidence, box: { x, y, width, height } }) => {
      return [className, ...[confidence, x, y, width, height].map((value) => Math.round(value * 1000) / 1000)]
    })
  } finally {
    await detector.close()
  }
}

describe('yolox', () => {
  // Cell 11 is column 3, row 1 of 8 pixels: centre (28, 12), 16×8 large, so (20, 8) to (36, 16); twice that in the picture.
  // It is as sure as the first channel, blue, is bright: 204 / 255. Cell 12 overlaps it by 14/18.
  const person = ['person', 0.8, 40, 16, 32, 16]
  // Cell 35 is column 3, row 0 of 16 pixels: (48, 0) to (64, 16). 0.6 · 0.5.
  const car = ['car', 0.3, 96, 0, 32, 32]

  test('boxes are placed by their cells, and objects reported once', async () => {
    expect(await found(tinyYolox())).toEqual([person, car])
  })

  test('only wanted classes, and what is certain enough, are reported', async () => {
    expect(await found(tinyYolox(), { classes: ['car'] })).toEqual([car])
    expect(await found(tinyYolox(), { confidence: 0.31 })).toEqual([person])
    // Cell 41 is column 1 of 32 pixels: (32, 0) to (64, 32), of which the picture has the upper half. 0.5 · 0.3.
    expect(await found(tinyYolox(), { confidence: 0.14 })).toEqual([person, car, ['car', 0.15, 64, 0, 64, 32]])
  })

  test('a smaller overlap may be set to be too much, or any to be all right', async () => {
    const overlapping = ['person', 0.7, 44, 16, 32, 16]
    expect(await found(tinyYolox(), {}, { nms_iou: 0.8 })).toEqual([person, overlapping, car])
    expect(await found(tinyYolox(), {}, { nms_iou: null })).toEqual([person, overlapping, car])
  })

  test('another colour order is taken from model.json', async () => {
    // Red is 51 / 255; the overlapping box is then the surer.
    const [first] = await found(tinyYolox(), {}, { input: { order: 'rgb' } })
    expect(first).toEqual(['person', 0.7, 44, 16, 32, 16])
  })

  test('boxes that the graph has decoded are taken as they are', async () => {
    // The other rows have no height, so nothing is left of them.
    expect(await found(tinyYolox(true))).toEqual([person])
  })
})

describe('yolov8', () => {
  // Centre (28, 12), 16×8. Four times the first channel, red: 4 · 51 / 255.
  const person = ['person', 0.8, 40, 16, 32, 16]
  // The second overlaps the first by 14/18 = 0.78, the third by 12/20 = 0.6: only the former is too much.
  const beside = ['person', 0.6, 48, 16, 32, 16]
  const car = ['car', 0.5, 40, 16, 32, 16]
  const other = ['car', 0.3, 80, 0, 32, 32]

  test('boxes are centres and sizes, and objects reported once', async () => {
    expect(await found(tinyYolov8())).toEqual([person, beside, car, other])
  })

  test('a smaller overlap may be set to be too much', async () => {
    expect(await found(tinyYolov8(), {}, { nms_iou: 0.5 })).toEqual([person, car, other])
  })

  test('classes may be named by their number; others are not reported', async () => {
    expect(await found(tinyYolov8(), {}, { classes: { 1: 'lorry' } })).toEqual([
      ['lorry', 0.5, 40, 16, 32, 16],
      ['lorry', 0.3, 80, 0, 32, 32],
    ])
  })
})

describe('detr', () => {
  // (0.375, 0.25) to (0.625, 0.75) of the picture, whose aspect is not kept.
  const place = [48, 8, 32, 16]
  const corner = [0, 0, 32, 16]

  test('a graph of any size is run at the size of model.json; nothing is suppressed', async () => {
    // Logits ln 4, ln 7/3 and ln 1/4: 0.8, 0.7 and 0.2.
    expect(await found(tinyDetr(), { confidence: 0.19 })).toEqual([
      ['person', 0.8, ...place],
      ['person', 0.7, ...place],
      ['car', 0.2, ...corner],
    ])
    expect(await found(tinyDetr(), { confidence: 0.5 }, { nms_iou: 0.9 })).toEqual([['person', 0.8, ...place]])
  })

  test('RF-DETR: outputs are known by name, unnamed ones are background, and the input is normalised', async () => {
    // The logit is minus what red is normalised to: (0.485 − 51 / 255) / 0.229 = 1.2445, whose sigmoid is 0.776.
    expect(await found(tinyRfDetr(), { confidence: 0.19 })).toEqual([
      ['person', 0.776, ...place],
      ['car', 0.2, ...corner],
    ])
  })

  test('an export that finishes by itself is given the size of the canvas', async () => {
    expect(await found(tinyFinishedDetr())).toEqual([
      ['person', 0.8, ...place],
      ['car', 0.3, ...corner],
    ])
  })

  test('outputs with other names are found by what model.json says', async () => {
    const names = { logits: 'labels', boxes: 'dets' }
    expect(await found(tinyRfDetr(), { confidence: 0.5 }, { outputs: names })).toHaveLength(1)
  })
})

test('aerie: corners as they are, the surest first, overlapping ones once, those beside the picture never', async () => {
  expect(await found(tinyAerie())).toEqual([
    ['person', 0.8, 40, 16, 32, 16],
    ['car', 0.3, 96, 0, 32, 32],
  ])
})

test('efficientdet: offsets from anchors, as our own converter writes them', async () => {
  // Anchor: centre (28, 12), 16×8. The third is half its width further to the right: centre (48 + 8, 8), 16×16.
  expect(await found(tinyEfficientdet())).toEqual([
    ['person', 0.8, 40, 16, 32, 16],
    ['car', 0.3, 96, 0, 32, 32],
  ])
})
