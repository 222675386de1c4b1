import { addDetectionHead } from './detection-head.ts'
import { createGraphBuilder } from './graph-builder.ts'
import { type NumberFormat } from './number-format.ts'
import { float32Tensor, int64Tensor, type OnnxGraph, type OnnxValue } from './onnx-graph.ts'
import { checkSameQuantisation, createLayers, nameOf, quantisationOf } from './quantised-layers.ts'
import { tensorAt, type TfliteModel } from './tflite-model.ts'
import { type TfliteOperator } from './tflite-operator.ts'

/** Goes up whenever the same weights would give other bytes, so that older conversions are not used any more. */
export const CONVERTER_VERSION = 1

/**
 * A quantised detector of TensorFlow Lite as an ONNX graph. Input `image`: uint8 [1, height, width, 3], RGB.
 * Outputs: see `detection-head.ts`.
 */
export function convertTflite(model: TfliteModel, format: NumberFormat): OnnxGraph {
  const graph = createGraphBuilder()
  const layers = createLayers(model, format, graph)
  const at = (tensor: number | undefined) => tensorAt(model, tensor)
  /** For values that are only needed in their stored form: by which operator they came from what. */
  const madeBy = new Map<number, TfliteOperator>()
  let outputs: readonly OnnxValue[] | undefined

  /** Follows a float tensor back, through exactly these kinds of operators, to the stored one it comes from. */
  function storedOrigin(tensor: number | undefined, ...kinds: readonly TfliteOperator['kind'][]): number {
    let origin = tensor ?? -1
    for (const kind of kinds) {
      const operator = madeBy.get(origin)
      if (operator?.kind !== kind) throw new Error(`The model's detections do not come from a ${kind}: not supported.`)
      origin = operator.inputs[0] ?? -1
    }
    return origin
  }

  for (const operator of model.operators) {
    const [input = -1] = operator.inputs
    const [output = -1] = operator.outputs
    switch (operator.kind) {
      case 'quantize': {
        const { scale, zeroPoint } = quantisationOf(at(input))
        const isInput = input === model.inputs[0] && at(input).element === 'uint8'
        const stored = quantisationOf(at(output))
        if (!isInput || stored.scale !== scale || stored.zeroPoint !== zeroPoint - 128) {
          throw new Error('Only a model whose one quantisation step takes the picture as it is can be converted.')
        }
        if (format.activations === 'uint8') graph.add(nameOf(output), 'Identity', ['image'])
        else {
          const one = graph.constant('image.scale', float32Tensor([], [scale]))
          const zero = graph.constant('image.zero', { element: 'uint8', shape: [], data: Uint8Array.of(zeroPoint) })
          graph.add('image.real', 'DequantizeLinear', ['image', one, zero])
          graph.add(nameOf(output), 'QuantizeLinear', ['image.real', ...layers.scaleAndZero(output)])
        }
        break
      }
      case 'convolution':
      case 'depthwise-convolution':
        layers.convolution(operator)
        break
      case 'add':
        layers.add(operator)
        break
      case 'max-pool':
        layers.maxPool(operator)
        break
      case 'resize-nearest':
        layers.resizeNearest(operator)
        break
      case 'reshape': {
        checkSameQuantisation([at(input), at(output)])
        const { shape } = at(output)
        const shapeName = graph.constant(`${nameOf(output)}.shape`, int64Tensor([shape.length], shape))
        graph.add(nameOf(output), 'Reshape', [nameOf(input), shapeName])
        break
      }
      case 'concatenation': {
        checkSameQuantisation([...operator.inputs, output].map(at))
        const attributes = { axis: operator.axis }
        graph.add(nameOf(output), 'Concat', operator.inputs.map(nameOf), { attributes })
        break
      }
      case 'logistic':
      case 'dequantize':
        madeBy.set(output, operator)
        break
      case 'detection-post-process': {
        const [boxes, scores, anchors] = operator.inputs
        const head = {
          boxes: storedOrigin(boxes, 'dequantize'),
          classes: storedOrigin(scores, 'dequantize', 'logistic'),
          anchors: at(anchors),
        }
        outputs = addDetectionHead(head, layers, graph)
      }
    }
  }
  if (!outputs) throw new Error('The .tflite model does not end with TFLite_Detection_PostProcess: not a detector.')
  const { shape } = at(model.inputs[0])
  return graph.build('detector', [{ name: 'image', element: 'uint8', shape }], outputs)
}
