import { createGraphBuilder, type GraphBuilder } from '../../src/pipeline/detect/convert/graph-builder.ts'
import {
  float32Tensor,
  int32Tensor,
  int64Tensor,
  type OnnxValue,
} from '../../src/pipeline/detect/convert/onnx-graph.ts'
import { writeOnnx } from '../../src/pipeline/detect/convert/onnx-writer.ts'

/**
 * A model of each family, small enough to be computed by hand. All look at a canvas of 64×32 and answer the same boxes
 * whatever it shows; but how sure they are of the first one depends on the mean of the first channel that they are
 * fed, so that colour order, scaling and layout show in the result.
 */
export interface TinyModel {
  readonly onnx: Uint8Array
  readonly json: Readonly<Record<string, unknown>>
}

export const canvas = { width: 64, height: 32 } as const
const { width, height } = canvas
const classes = ['person', 'car'] as const
const licence = 'CC0-1.0'

const planes: OnnxValue = { name: 'images', element: 'float32', shape: [1, 3, height, width] }
const pixels: OnnxValue = { name: 'image', element: 'uint8', shape: [1, height, width, 3] }

/** Numbers that are always the same, and by how much of the first channel's mean some of them rise. */
interface Numbers {
  readonly shape: readonly number[]
  readonly values: readonly number[]
  /** By place. */
  readonly rising?: Readonly<Record<number, number>>
}

function startGraph(input: OnnxValue): GraphBuilder {
  const graph = createGraphBuilder()
  const isBytes = input.element === 'uint8'
  const numbers = isBytes ? graph.add('numbers', 'Cast', [input.name], { attributes: { to: 1 } }) : input.name
  graph.add('means', 'ReduceMean', [numbers], { attributes: { axes: isBytes ? [1, 2] : [2, 3], keepdims: 0 } })
  graph.add('first', 'Gather', ['means', graph.constant('zero', int64Tensor([], [0]))], { attributes: { axis: 1 } })
  return graph
}

function answer(graph: GraphBuilder, name: string, { shape, values, rising = {} }: Numbers): OnnxValue {
  const fixed = graph.constant(`${name}.fixed`, float32Tensor(shape, values))
  const slopes = values.map((_, place) => rising[place] ?? 0)
  const slope = graph.constant(`${name}.slope`, float32Tensor(shape, slopes))
  graph.add(`${name}.rise`, 'Mul', [slope, 'first'])
  graph.add(name, 'Add', [fixed, `${name}.rise`])
  return { name, element: 'float32', shape }
}

function answerIntegers(graph: GraphBuilder, name: string, element: 'int32' | 'int64', values: number[]): OnnxValue {
  const shape = [1, values.length]
  const tensor = element === 'int32' ? int32Tensor(shape, values) : int64Tensor(shape, values)
  graph.add(name, 'Identity', [graph.constant(`${name}.fixed`, tensor)])
  return { name, element, shape }
}

/** 42 cells: 8×4 of 8 pixels, 4×2 of 16 and 2×1 of 32. With `isDecoded` the graph has placed the first box itself. */
export function tinyYolox(isDecoded = false): TinyModel {
  const columns = 5 + classes.length
  const values = new Array<number>(42 * columns).fill(0)
  const setRow = (cell: number, row: readonly number[]) => values.splice(cell * columns, columns, ...row)
  setRow(11, isDecoded ? [28, 12, 16, 8, 0, 1, 0.2] : [0.5, 0.5, Math.log(2), 0, 0, 1, 0.2])
  setRow(12, [-0.25, 0.5, Math.log(2), 0, 0.7, 1, 0])
  setRow(35, [0.5, 0.5, 0, 0, 0.6, 0.1, 0.5])
  setRow(41, [0.5, 0.5, 0, 0, 0.5, 0, 0.3])
  const graph = startGraph(planes)
  const rising = { [11 * columns + 4]: 1 / 255 }
  const output = answer(graph, 'output', { shape: [1, 42, columns], values, rising })
  return {
    onnx: writeOnnx(graph.build('yolox', [planes], [output])),
    json: { name: 'tiny-yolox', family: 'yolox', classes, licence, decoded: isDecoded },
  }
}

export function tinyYolov8(): TinyModel {
  const rows = [
    [28, 30, 32, 28, 48, 10],
    [12, 12, 12, 12, 8, 10],
    [16, 16, 16, 16, 16, 4],
    [8, 8, 8, 8, 16, 4],
    [0, 0.7, 0.6, 0.1, 0.1, 0],
    [0, 0, 0, 0.5, 0.3, 0],
  ]
  const graph = startGraph(planes)
  const rising = { [4 * 6]: 4 }
  const output = answer(graph, 'output0', { shape: [1, 6, 6], values: rows.flat(), rising })
  return {
    onnx: writeOnnx(graph.build('yolov8', [planes], [output])),
    json: { name: 'tiny-yolov8', family: 'yolov8', classes, licence, input: canvas },
  }
}

const fractions = [
  [0.5, 0.5, 0.25, 0.5],
  [0.5, 0.5, 0.25, 0.5],
  [0.125, 0.25, 0.25, 0.5],
].flat()

/** As Hugging Face exports RT-DETR and D-FINE: the graph leaves every length open. */
export function tinyDetr(): TinyModel {
  const input: OnnxValue = { name: 'pixel_values', element: 'float32', shape: ['batch', 'channels', 'height', 'width'] }
  const graph = startGraph(input)
  const values = [0, -9, Math.log(7 / 3), -9, -9, Math.log(1 / 4)]
  const logits = answer(graph, 'logits', { shape: [1, 3, 2], values, rising: { 0: Math.log(4) / 0.2 } })
  const boxes = answer(graph, 'pred_boxes', { shape: [1, 3, 4], values: fractions })
  const open = [logits, boxes].map((value) => ({ ...value, shape: ['batch', 'queries', value.shape[2]!] }))
  return {
    onnx: writeOnnx(graph.build('detr', [input], open)),
    json: { name: 'tiny-detr', family: 'detr', classes, licence, input: canvas },
  }
}

/** As RF-DETR is exported: normalised input, four logits for two classes, which look like boxes, and a background. */
export function tinyRfDetr(): TinyModel {
  const input: OnnxValue = { ...planes, name: 'input' }
  const graph = startGraph(input)
  const values = [9, 0, -9, 9, 9, -9, -9, 9, -9, -9, Math.log(1 / 4), 9]
  const boxes = answer(graph, 'dets', { shape: [1, 3, 4], values: fractions })
  const logits = answer(graph, 'labels', { shape: [1, 3, 4], values, rising: { 1: -1 } })
  return {
    onnx: writeOnnx(graph.build('rf-detr', [input], [boxes, logits])),
    json: {
      name: 'tiny-rf-detr',
      family: 'detr',
      classes: { 1: 'person', 2: 'car' },
      licence,
      input: { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
    },
  }
}

/** As the authors of RT-DETR and D-FINE export it: given the picture's size, it answers corners in its pixels. */
export function tinyFinishedDetr(): TinyModel {
  const size: OnnxValue = { name: 'orig_target_sizes', element: 'int64', shape: ['N', 2] }
  const input: OnnxValue = { ...planes, shape: ['N', 3, height, width] }
  const graph = startGraph(input)
  const corners = [0.375, 0.25, 0.625, 0.75, 0, 0, 0.25, 0.5]
  graph.add('size', 'Cast', [size.name], { attributes: { to: 1 } })
  graph.add('sizes', 'Concat', ['size', 'size'], { attributes: { axis: 1 } })
  graph.add('boxes', 'Mul', [graph.constant('corners', float32Tensor([1, 2, 4], corners)), 'sizes'])
  const outputs: OnnxValue[] = [
    answerIntegers(graph, 'labels', 'int64', [0, 1]),
    { name: 'boxes', element: 'float32', shape: [1, 2, 4] },
    answer(graph, 'scores', { shape: [1, 2], values: [0, 0.3], rising: { 0: 4 } }),
  ]
  return {
    onnx: writeOnnx(graph.build('finished-detr', [input, size], outputs)),
    json: { name: 'tiny-finished-detr', family: 'detr', classes, licence },
  }
}

export function tinyAerie(): TinyModel {
  const graph = startGraph(pixels)
  const boxes = [
    [48, 0, 64, 16],
    [20, 8, 36, 16],
    [22, 8, 38, 16],
    [8, 20, 16, 30],
  ].flat()
  const outputs = [
    answer(graph, 'box', { shape: [1, 4, 4], values: boxes }),
    answer(graph, 'score', { shape: [1, 4], values: [0.3, 0, 0.7, 0.9], rising: { 1: 0.8 / 51 } }),
    answerIntegers(graph, 'cls', 'int32', [1, 0, 0, 0]),
  ]
  return {
    onnx: writeOnnx(graph.build('aerie', [pixels], outputs)),
    json: { name: 'tiny-aerie', family: 'aerie', classes, licence },
  }
}

export function tinyEfficientdet(): TinyModel {
  const graph = startGraph(pixels)
  // Centre y and x, height and width, in fractions of the canvas.
  const anchors = [
    [0.375, 0.4375, 0.25, 0.25],
    [0.375, 0.4375, 0.25, 0.25],
    [0.25, 0.75, 0.5, 0.25],
  ].flat()
  const offsets = [
    [0, 0, 0, 0],
    [0, 0.125, 0, 0],
    [0, 0.5, 0, 0],
  ].flat()
  const outputs = [
    answer(graph, 'score', { shape: [1, 3], values: [0, 0.7, 0.3], rising: { 0: 0.8 / 51 } }),
    answerIntegers(graph, 'class', 'int32', [0, 0, 1]),
    answer(graph, 'box', { shape: [1, 3, 4], values: offsets }),
    answer(graph, 'anchor', { shape: [1, 3, 4], values: anchors }),
  ]
  return {
    onnx: writeOnnx(graph.build('efficientdet', [pixels], outputs)),
    json: { name: 'tiny-efficientdet', family: 'efficientdet', classes, licence },
  }
}

export const tinyModels = [
  tinyEfficientdet,
  () => tinyYolox(),
  tinyYolov8,
  tinyDetr,
  tinyRfDetr,
  tinyFinishedDetr,
  tinyAerie,
] as const
