import { type GraphBuilder } from './graph-builder.ts'
import { float32Tensor, int64Tensor, type OnnxValue } from './onnx-graph.ts'
import { nameOf, type Layers } from './quantised-layers.ts'
import { type TfliteTensor } from './tflite-model.ts'

export interface DetectionHeadInput {
  /** Indices of the quantised tensors: class logits [1, anchors, classes] and box offsets [1, anchors, 4]. */
  readonly classes: number
  readonly boxes: number
  readonly anchors: TfliteTensor
}

/** Anchors that leave the graph: the bound on what one picture can yield before suppression. */
export const MAX_CANDIDATES = 1000

const attributes = { axis: 1 } as const

/**
 * Ends the graph with the most likely anchors, the best first: `score` [1, K] (0…1), `class` [1, K], `box` [1, K, 4]
 * and the `anchor` [1, K, 4] that each box is an offset from. Twenty thousand anchors times ninety classes thus
 * never leave native code. The sigmoid rises with its input, so it is taken of the winners only.
 */
export function addDetectionHead(head: DetectionHeadInput, layers: Layers, graph: GraphBuilder): readonly OnnxValue[] {
  const { name, element, shape, data } = head.anchors
  if (element !== 'float32') throw new Error(`${name}: anchors of ${element} cannot be converted.`)
  const count = shape[0] ?? 0
  const limit = Math.min(MAX_CANDIDATES, count)
  const logits = nameOf(head.classes)
  const offsets = nameOf(head.boxes)

  graph.add('best', 'ReduceMax', [logits], { attributes: { axes: [2], keepdims: 0 } })
  graph.add('best.logit', 'DequantizeLinear', ['best', ...layers.scaleAndZero(head.classes)])
  const limitName = graph.constant('limit', int64Tensor([1], [limit]))
  graph.addNode({ operator: 'TopK', inputs: ['best.logit', limitName], outputs: ['top', 'top.places'], attributes })
  graph.add('score', 'Sigmoid', ['top'])

  graph.add('places', 'Reshape', ['top.places', graph.constant('flat', int64Tensor([1], [-1]))])
  graph.add('top.logits', 'Gather', [logits, 'places'], { attributes })
  graph.add('top.class', 'ArgMax', ['top.logits'], { attributes: { axis: 2, keepdims: 0 } })
  // 6 is int32: 64-bit integers would reach JavaScript as BigInts.
  graph.add('class', 'Cast', ['top.class'], { attributes: { to: 6 } })

  graph.add('top.offsets', 'Gather', [offsets, 'places'], { attributes })
  graph.add('box', 'DequantizeLinear', ['top.offsets', ...layers.scaleAndZero(head.boxes)])
  const values = new Float32Array(data.slice().buffer)
  const anchors = graph.constant('anchors', float32Tensor([1, count, 4], values))
  graph.add('anchor', 'Gather', [anchors, 'places'], { attributes })

  return [
    { name: 'score', element: 'float32', shape: [1, limit] },
    { name: 'class', element: 'int32', shape: [1, limit] },
    { name: 'box', element: 'float32', shape: [1, limit, 4] },
    { name: 'anchor', element: 'float32', shape: [1, limit, 4] },
  ]
}
