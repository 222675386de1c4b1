import { describe, expect, test } from 'vitest'
import { openSession } from '../onnx-session.ts'
import { createGraphBuilder } from './graph-builder.ts'
import { type NumberFormat } from './number-format.ts'
import { float32Tensor } from './onnx-graph.ts'
import { writeOnnx } from './onnx-writer.ts'
import { createLayers, nameOf, type Layers } from './quantised-layers.ts'
import { type TfliteTensor } from './tflite-model.ts'

const formats: readonly NumberFormat[] = [
  { activations: 'int8', weights: 'int8' },
  { activations: 'uint8', weights: 'int8' },
  { activations: 'uint8', weights: 'uint8' },
]

function activation(shape: readonly number[], scale = 1, zeroPoint = 0): TfliteTensor {
  const quantisation = { scales: [scale], zeroPoints: [zeroPoint], axis: 0 }
  return { name: 'activation', shape, element: 'int8', data: new Uint8Array(0), quantisation }
}

function weights(shape: readonly number[], values: readonly number[], scales: readonly number[]): TfliteTensor {
  const quantisation = { scales, zeroPoints: scales.map(() => 0), axis: 0 }
  return { name: 'weights', shape, element: 'int8', data: Uint8Array.from(values), quantisation }
}

function bias(values: readonly number[]): TfliteTensor {
  const data = new Uint8Array(Int32Array.from(values).buffer)
  return { name: 'bias', shape: [values.length], element: 'int32', data, quantisation: undefined }
}

/** The stored signed values of the last tensor, when the first one holds `input`. */
async function run(
  tensors: readonly TfliteTensor[],
  input: readonly number[],
  format: NumberFormat,
  add: (layers: Layers) => void,
): Promise<number[]> {
  const graph = createGraphBuilder()
  const scale = graph.constant('one', float32Tensor([], [1]))
  const middle = graph.constant('middle', { element: 'uint8', shape: [], data: Uint8Array.of(128) })
  const shift = format.activations === 'uint8' ? 128 : 0
  graph.add('real', 'DequantizeLinear', ['image', scale, middle])
  const zero = graph.constant('zero', { element: format.activations, shape: [], data: Uint8Array.of(shift) })
  graph.add(nameOf(0), 'QuantizeLinear', ['real', scale, zero])
  add(createLayers({ tensors, inputs: [0], operators: [] }, format, graph))
  graph.add('result', 'Cast', [nameOf(tensors.length - 1)], { attributes: { to: 6 } })
  const built = graph.build(
    'layers',
    [{ name: 'image', element: 'uint8', shape: tensors[0]!.shape }],
    [{ name: 'result', element: 'int32', shape: tensors.at(-1)!.shape }],
  )
  const session = await openSession({ model: writeOnnx(built) })
  const { result } = await session.run(Uint8Array.from(input, (value) => value + 128))
  await session.close()
  return Array.from(result!, (value) => value - shift)
}

const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const plain = { stride: { width: 1, height: 1 }, activation: 'none' } as const
const from = { inputs: [0, 1, 2], outputs: [3] } as const

describe.each(formats)('with $activations activations and $weights weights', (format) => {
  test('a convolution multiplies, adds its bias and scales each channel by its own scale', async () => {
    // One pixel (3, −2) of scale 1; channel 0: 3·10 − 2·4 = 22, + 2; channel 1: 3·−128 − 2·127 = −638, + 6, × ¼.
    const tensors = [
      activation([1, 1, 1, 2]),
      weights([2, 1, 1, 2], [10, 4, -128, 127], [1, 0.25]),
      bias([2, 6]),
      activation([1, 1, 1, 2], 2, -10),
    ]
    const result = await run(tensors, [3, -2], format, (layers) =>
      layers.convolution({ kind: 'convolution', padding: 'valid', ...plain, ...from }),
    )
    expect(result).toEqual([24 / 2 - 10, -158 / 2 - 10])
  })

  test('a convolution pads as much as SAME says, the odd pixel at the end', async () => {
    // 2×2 ones over 3×3: out 3×3, nothing before, one row and one column after.
    const tensors = [
      activation([1, 3, 3, 1]),
      weights([1, 2, 2, 1], [1, 1, 1, 1], [1]),
      bias([0]),
      activation([1, 3, 3, 1]),
    ]
    const result = await run(tensors, nine, format, (layers) =>
      layers.convolution({ kind: 'convolution', padding: 'same', ...plain, ...from }),
    )
    expect(result).toEqual([12, 16, 9, 24, 28, 15, 15, 17, 9])
  })

  test('padding is worth zero, also where zero is stored as another number', async () => {
    const tensors = [
      activation([1, 1, 1, 1], 1, 5),
      weights([1, 3, 3, 1], nine, [1]),
      bias([0]),
      activation([1, 1, 1, 1]),
    ]
    // Stored 7 is 2; only the filter's centre (5) meets it.
    const result = await run(tensors, [7], format, (layers) =>
      layers.convolution({ kind: 'convolution', padding: 'same', ...plain, ...from }),
    )
    expect(result).toEqual([10])
  })

  test('a filter of more inputs than one is turned to channels first', async () => {
    // Filter 1×2 over two channels: left (1, 10), right (2, 20).
    const tensors = [
      activation([1, 1, 2, 2]),
      weights([1, 1, 2, 2], [1, 10, 2, 20], [1]),
      bias([0]),
      activation([1, 1, 1, 1]),
    ]
    const result = await run(tensors, [1, 2, 0, 3], format, (layers) =>
      layers.convolution({ kind: 'convolution', padding: 'valid', ...plain, ...from }),
    )
    expect(result).toEqual([1 + 20 + 60])
  })

  test('a depthwise convolution keeps channels apart', async () => {
    // Two channels, filter 1×2: channel 0 (1, 2), channel 1 (3, 4).
    const tensors = [
      activation([1, 1, 2, 2]),
      weights([1, 1, 2, 2], [1, 3, 2, 4], [1, 1]),
      bias([0, 0]),
      activation([1, 1, 1, 2]),
    ]
    const result = await run(tensors, [5, 6, 7, 8], format, (layers) =>
      layers.convolution({ kind: 'depthwise-convolution', padding: 'valid', ...plain, ...from }),
    )
    expect(result).toEqual([5 + 14, 18 + 32])
  })

  test('an activation of 0…6 clips by the range of its bytes', async () => {
    const tensors = [
      activation([1, 1, 3, 1]),
      weights([1, 1, 1, 1], [1], [1]),
      bias([0]),
      activation([1, 1, 3, 1], 6 / 255, -128),
    ]
    const result = await run(tensors, [-4, 3, 9], format, (layers) =>
      layers.convolution({ kind: 'convolution', padding: 'valid', ...plain, ...from, activation: 'relu6' }),
    )
    expect(result).toEqual([-128, 0, 127])
  })

  test('an addition brings both sides to the scale of the result', async () => {
    const tensors = [activation([1, 1, 2, 1], 1, 0), activation([1, 1, 2, 1], 0.5, 4)]
    const result = await run(tensors, [10, -20], format, (layers) =>
      layers.add({ kind: 'add', activation: 'none', inputs: [0, 0], outputs: [1] }),
    )
    expect(result).toEqual([44, -76])
  })

  test('a pool takes the largest value, whatever lies beyond the border', async () => {
    const tensors = [activation([1, 3, 3, 1]), activation([1, 2, 2, 1])]
    const result = await run(
      tensors,
      nine.map((value) => value - 100),
      format,
      (layers) =>
        layers.maxPool({
          kind: 'max-pool',
          padding: 'same',
          stride: { width: 2, height: 2 },
          filter: { width: 3, height: 3 },
          inputs: [0],
          outputs: [1],
        }),
    )
    expect(result).toEqual([-95, -94, -92, -91])
  })

  test('resizing repeats the nearest pixel above and to the left', async () => {
    const tensors = [activation([1, 1, 3, 1]), activation([1, 2, 5, 1])]
    const result = await run(tensors, [1, 2, 3], format, (layers) =>
      layers.resizeNearest({ kind: 'resize-nearest', inputs: [0], outputs: [1] }),
    )
    expect(result).toEqual([1, 1, 2, 2, 3, 1, 1, 2, 2, 3])
  })
})

describe('what cannot be said in ONNX is refused', () => {
  const layersOf = (tensors: readonly TfliteTensor[]) =>
    createLayers({ tensors, inputs: [0], operators: [] }, formats[0]!, createGraphBuilder())

  test.each([
    { name: 'below', scale: 6 / 255, zeroPoint: -100 },
    { name: 'above', scale: 0.1, zeroPoint: -128 },
  ])('an activation of 0…6 whose bytes reach $name it', ({ scale, zeroPoint }) => {
    const layers = layersOf([activation([1, 1, 1, 1]), activation([1, 1, 1, 1], scale, zeroPoint)])
    const add = () => layers.add({ kind: 'add', activation: 'relu6', inputs: [0, 0], outputs: [1] })
    expect(add).toThrow(/range exceeds its activation's/)
  })

  test('moving values to another scale', () => {
    const layers = layersOf([activation([1, 1, 1, 1], 1), activation([1, 2, 2, 1], 2)])
    const resize = () => layers.resizeNearest({ kind: 'resize-nearest', inputs: [0], outputs: [1] })
    expect(resize).toThrow(/change their scale/)
  })

  test('a tensor that is not there', () => {
    const add = () => layersOf([]).add({ kind: 'add', activation: 'none', inputs: [0, 0], outputs: [1] })
    expect(add).toThrow(/names the tensor 1, which it does not have/)
  })
})
