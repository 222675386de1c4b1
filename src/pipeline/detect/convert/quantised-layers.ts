import { type GraphBuilder } from './graph-builder.ts'
import { byteScalar, byteTensor, type NumberFormat } from './number-format.ts'
import { float32Tensor, int32Tensor } from './onnx-graph.ts'
import { tensorAt, type TfliteModel, type TfliteTensor } from './tflite-model.ts'
import { type Activation, type Size, type TfliteOperator, type Window } from './tflite-operator.ts'

/**
 * The layers of a quantised network as ONNX Runtime's own operators, which take pictures as TensorFlow Lite does,
 * channels last (NHWC). So nothing has to be turned around on the way, and the graph runs as it is written instead
 * of as an optimiser finds it.
 */
export interface Layers {
  convolution(operator: TfliteOperator & { kind: 'convolution' | 'depthwise-convolution' }): void
  add(operator: TfliteOperator & { kind: 'add' }): void
  maxPool(operator: TfliteOperator & { kind: 'max-pool' }): void
  resizeNearest(operator: TfliteOperator): void
  /** The names of the constants that hold an activation's scale and zero point. */
  scaleAndZero(tensor: number): readonly [scale: string, zero: string]
}

const microsoft = 'com.microsoft'

/** The name of an activation in the converted graph. */
export function nameOf(tensor: number): string {
  return `t${tensor}`
}

export function createLayers(model: TfliteModel, format: NumberFormat, graph: GraphBuilder): Layers {
  const at = (tensor: number) => tensorAt(model, tensor)

  function scaleAndZero(tensor: number): readonly [string, string] {
    const { scale, zeroPoint } = quantisationOf(at(tensor))
    return [
      graph.constant(`${nameOf(tensor)}.scale`, float32Tensor([], [scale])),
      graph.constant(`${nameOf(tensor)}.zero`, byteScalar(format.activations, zeroPoint)),
    ]
  }

  return {
    scaleAndZero,

    convolution(operator) {
      const [input = -1, weights = -1, bias = -1] = operator.inputs
      const [output = -1] = operator.outputs
      checkActivation(operator.activation, at(output))
      const isDepthwise = operator.kind === 'depthwise-convolution'
      const filter = filterOf(at(weights), isDepthwise)
      const { scales = [], zeroPoints = [] } = at(weights).quantisation ?? {}
      if (zeroPoints.some((zero) => zero !== 0)) throw new Error(`${at(weights).name}: weights must be symmetric.`)
      const name = nameOf(weights)
      graph.add(
        nameOf(output),
        'QLinearConv',
        [
          nameOf(input),
          ...scaleAndZero(input),
          graph.constant(name, byteTensor(format.weights, filter.shape, filter.data)),
          graph.constant(`${name}.scale`, float32Tensor([scales.length], scales)),
          graph.constant(`${name}.zero`, byteTensor(format.weights, [scales.length], new Uint8Array(scales.length))),
          ...scaleAndZero(output),
          graph.constant(nameOf(bias), int32Tensor(at(bias).shape, int32sOf(at(bias)))),
        ],
        {
          domain: microsoft,
          attributes: {
            channels_last: 1,
            group: isDepthwise ? filter.outputs : 1,
            ...windowAttributes(operator, filter.size, at(input), at(output)),
          },
        },
      )
    },

    add(operator) {
      const [left = -1, right = -1] = operator.inputs
      const [output = -1] = operator.outputs
      checkActivation(operator.activation, at(output))
      const inputs = [nameOf(left), ...scaleAndZero(left), nameOf(right), ...scaleAndZero(right)]
      graph.add(nameOf(output), 'QLinearAdd', [...inputs, ...scaleAndZero(output)], { domain: microsoft })
    },

    maxPool(operator) {
      const [input = -1] = operator.inputs
      const [output = -1] = operator.outputs
      checkSameQuantisation([at(input), at(output)])
      const attributes = windowAttributes(operator, operator.filter, at(input), at(output))
      graph.add(nameOf(output), 'NhwcMaxPool', [nameOf(input)], { domain: microsoft, attributes })
    },

    // Taking rows and columns by their numbers is several times faster than ONNX's Resize, which thinks in fractions.
    resizeNearest(operator) {
      const [input = -1] = operator.inputs
      const [output = -1] = operator.outputs
      checkSameQuantisation([at(input), at(output)])
      const from = sizeOf(at(input))
      const to = sizeOf(at(output))
      const name = nameOf(output)
      const rows = graph.constant(`${name}.rows`, nearest(from.height, to.height))
      const columns = graph.constant(`${name}.columns`, nearest(from.width, to.width))
      graph.add(`${name}.tall`, 'Gather', [nameOf(input), rows], { attributes: { axis: 1 } })
      graph.add(name, 'Gather', [`${name}.tall`, columns], { attributes: { axis: 2 } })
    },
  }
}

/** Operators that only move values are right on stored bytes as long as these mean the same before and after. */
export function checkSameQuantisation(tensors: readonly TfliteTensor[]): void {
  const meanings = new Set(tensors.map((tensor) => JSON.stringify(quantisationOf(tensor))))
  if (meanings.size > 1) throw new Error(`${tensors.at(-1)?.name}: values that change their scale cannot be converted.`)
}

export function quantisationOf({ name, quantisation }: TfliteTensor): { scale: number; zeroPoint: number } {
  const [scale, ...more] = quantisation?.scales ?? []
  const [zeroPoint = 0] = quantisation?.zeroPoints ?? []
  if (scale === undefined || more.length > 0) throw new Error(`${name}: only one scale for all values is supported.`)
  return { scale, zeroPoint }
}

/** A clamp to 0…6 needs no step of its own where the stored bytes can say nothing beyond it. */
function checkActivation(activation: Activation, tensor: TfliteTensor): void {
  if (activation === 'none') return
  const { scale, zeroPoint } = quantisationOf(tensor)
  const lowest = scale * (-128 - zeroPoint)
  const highest = scale * (127 - zeroPoint)
  if (lowest < -scale / 2 || highest > 6 + scale / 2) {
    throw new Error(`${tensor.name}: its stored range exceeds its activation's, which cannot be converted.`)
  }
}

/** TensorFlow Lite's [out, height, width, in] (depthwise: [1, height, width, out]) as ONNX's [out, in, height, width]. */
function filterOf({ name, shape, data }: TfliteTensor, isDepthwise: boolean) {
  if (data.length === 0) throw new Error(`${name}: weights that are not constant cannot be converted.`)
  const [first = 0, height = 0, width = 0, last = 0] = shape
  const [outputs, inputs] = isDepthwise ? [last, 1] : [first, last]
  const area = height * width
  const turned = new Uint8Array(data.length)
  for (let output = 0, to = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let place = 0; place < area; place++, to++) {
        turned[to] = data[isDepthwise ? place * outputs + output : (output * area + place) * inputs + input]!
      }
    }
  }
  return { shape: [outputs, inputs, height, width], outputs, size: { height, width }, data: turned }
}

function windowAttributes({ padding, stride }: Window, filter: Size, input: TfliteTensor, output: TfliteTensor) {
  const from = sizeOf(input)
  const to = sizeOf(output)
  // SAME: as much padding as the last step of the filter needs, the odd pixel at the end.
  const total = (step: number, size: number, before: number, after: number): number =>
    padding === 'valid' ? 0 : Math.max((after - 1) * step + size - before, 0)
  const vertical = total(stride.height, filter.height, from.height, to.height)
  const horizontal = total(stride.width, filter.width, from.width, to.width)
  const begin = [vertical >> 1, horizontal >> 1]
  return {
    kernel_shape: [filter.height, filter.width],
    strides: [stride.height, stride.width],
    pads: [...begin, vertical - begin[0]!, horizontal - begin[1]!],
  }
}

function sizeOf({ shape }: TfliteTensor): Size {
  const [, height = 0, width = 0] = shape
  return { height, width }
}

function nearest(from: number, to: number) {
  return int32Tensor(
    [to],
    Array.from({ length: to }, (_, index) => Math.floor((index * from) / to)),
  )
}

function int32sOf({ name, element, data }: TfliteTensor): Int32Array {
  if (element !== 'int32') throw new Error(`${name}: a bias of ${element} cannot be converted.`)
  // Constants may begin anywhere in the file, typed arrays only at multiples of their size: hence the copy.
  return new Int32Array(data.slice().buffer)
}
