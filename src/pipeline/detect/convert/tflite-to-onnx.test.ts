import { describe, expect, test } from 'vitest'
import { openSession } from '../onnx-session.ts'
import { type NumberFormat } from './number-format.ts'
import { writeOnnx } from './onnx-writer.ts'
import { convertTflite } from './tflite-to-onnx.ts'
import { type TfliteModel, type TfliteTensor } from './tflite-model.ts'

const bytes = (values: Iterable<number>) => Uint8Array.from(values)
const quantised = (scale: number, zeroPoint: number) => ({ scales: [scale], zeroPoints: [zeroPoint], axis: 0 })

function tensor(shape: readonly number[], options: Partial<TfliteTensor> = {}): TfliteTensor {
  return { name: 'tensor', shape, element: 'int8', data: bytes([]), quantisation: quantised(1, 0), ...options }
}

function weights(shape: readonly number[], values: readonly number[]): TfliteTensor {
  const outputs = shape[0]!
  const quantisation = { scales: Array<number>(outputs).fill(1), zeroPoints: Array<number>(outputs).fill(0), axis: 0 }
  return tensor(shape, { data: bytes(values), quantisation })
}

const noBias = (length: number) =>
  tensor([length], { element: 'int32', data: new Uint8Array(length * 4), quantisation: undefined })
const float = (shape: readonly number[]) => tensor(shape, { element: 'float32', quantisation: undefined })

/**
 * A detector of two pixels, each an anchor, and two classes: red is the first class's logit, green the second's, and
 * the box is (blue, 0, 0, 0). A pixel's value is (byte − 127) ÷ 16, as the picture's quantisation says.
 */
const picture = quantised(1 / 16, 127)
const stored = quantised(1 / 16, -1)
const plain = { padding: 'same', stride: { width: 1, height: 1 }, activation: 'none' } as const
const detector: TfliteModel = {
  inputs: [0],
  tensors: [
    /* 0 */ tensor([1, 1, 2, 3], { element: 'uint8', quantisation: picture }),
    /* 1 */ tensor([1, 1, 2, 3], { quantisation: stored }),
    /* 2 */ weights([2, 1, 1, 3], [1, 0, 0, 0, 1, 0]),
    /* 3 */ noBias(2),
    /* 4 */ tensor([1, 1, 2, 2], { quantisation: stored }),
    /* 5 */ tensor([1, 2, 2], { quantisation: stored }),
    /* 6 */ float([1, 2, 2]),
    /* 7 */ float([1, 2, 2]),
    /* 8 */ weights([4, 1, 1, 3], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    /* 9 */ noBias(4),
    /* 10 */ tensor([1, 1, 2, 4], { quantisation: stored }),
    /* 11 */ tensor([1, 2, 4], { quantisation: stored }),
    /* 12 */ float([1, 2, 4]),
    /* 13 */ tensor([2, 4], {
      element: 'float32',
      data: new Uint8Array(Float32Array.of(0.5, 0.25, 1, 0.5, 0.5, 0.75, 1, 0.5).buffer),
      quantisation: undefined,
    }),
    /* 14 */ tensor([1, 2, 2], { quantisation: quantised(1 / 256, -128) }),
  ],
  operators: [
    { kind: 'quantize', inputs: [0], outputs: [1] },
    { kind: 'convolution', ...plain, inputs: [1, 2, 3], outputs: [4] },
    { kind: 'reshape', inputs: [4], outputs: [5] },
    { kind: 'convolution', ...plain, inputs: [1, 8, 9], outputs: [10] },
    { kind: 'reshape', inputs: [10], outputs: [11] },
    { kind: 'logistic', inputs: [5], outputs: [14] },
    { kind: 'dequantize', inputs: [14], outputs: [7] },
    { kind: 'dequantize', inputs: [11], outputs: [12] },
    { kind: 'detection-post-process', inputs: [12, 7, 13], outputs: [] },
  ],
}

const formats: readonly NumberFormat[] = [
  { activations: 'int8', weights: 'int8' },
  { activations: 'uint8', weights: 'int8' },
  { activations: 'uint8', weights: 'uint8' },
]

describe('convertTflite', () => {
  test.each(formats)('keeps what a detector says, in $activations × $weights', async (format) => {
    const session = await openSession({ model: writeOnnx(convertTflite(detector, format)) })
    // Left pixel: logits 0 and −1, blue 0.5. Right pixel: logits −2 and 1.5, blue −0.25.
    const {
      score,
      class: classes,
      box,
      anchor,
    } = await session.run(Uint8Array.of(127, 111, 135, /* right */ 95, 151, 123))
    const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
    expect([...score!]).toEqual([expect.closeTo(sigmoid(1.5)), expect.closeTo(sigmoid(0))])
    expect([...classes!]).toEqual([1, 0])
    expect([...box!]).toEqual([-0.25, 0, 0, 0, 0.5, 0, 0, 0])
    expect([...anchor!]).toEqual([0.5, 0.75, 1, 0.5, 0.5, 0.25, 1, 0.5])
    await session.close()
  })

  const without = (...kinds: string[]): TfliteModel => ({
    ...detector,
    operators: detector.operators.filter(({ kind }) => !kinds.includes(kind)),
  })

  test('refuses a model that is not a detector', () => {
    expect(() => convertTflite(without('detection-post-process'), formats[0]!)).toThrow(/not a detector/)
  })

  test('refuses scores that are not made by a logistic', () => {
    expect(() => convertTflite(without('logistic'), formats[0]!)).toThrow(/do not come from a logistic/)
  })

  test('refuses a picture that is scaled on its way in', () => {
    const tensors = detector.tensors.with(1, tensor([1, 1, 2, 3], { quantisation: quantised(1 / 8, -1) }))
    expect(() => convertTflite({ ...detector, tensors }, formats[0]!)).toThrow(/takes the picture as it is/)
  })

  test('refuses to change a scale by reshaping', () => {
    const tensors = detector.tensors.with(5, tensor([1, 2, 2], { quantisation: quantised(1 / 8, -1) }))
    expect(() => convertTflite({ ...detector, tensors }, formats[0]!)).toThrow(/change their scale/)
  })
})
