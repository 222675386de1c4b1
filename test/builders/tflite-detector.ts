import { type TfliteModel, type TfliteTensor } from '../../src/pipeline/detect/convert/tflite-model.ts'

const bytes = (values: Iterable<number>) => Uint8Array.from(values)
export const quantised = (scale: number, zeroPoint: number) => ({ scales: [scale], zeroPoints: [zeroPoint], axis: 0 })

export function tfliteTensor(shape: readonly number[], options: Partial<TfliteTensor> = {}): TfliteTensor {
  return { name: 'tensor', shape, element: 'int8', data: bytes([]), quantisation: quantised(1, 0), ...options }
}

function weights(shape: readonly number[], values: readonly number[]): TfliteTensor {
  const outputs = shape[0]!
  const quantisation = { scales: Array<number>(outputs).fill(1), zeroPoints: Array<number>(outputs).fill(0), axis: 0 }
  return tfliteTensor(shape, { data: bytes(values), quantisation })
}

const noBias = (length: number) =>
  tfliteTensor([length], { element: 'int32', data: new Uint8Array(length * 4), quantisation: undefined })
const float = (shape: readonly number[]) => tfliteTensor(shape, { element: 'float32', quantisation: undefined })

/**
 * A detector of two pixels, each an anchor, and two classes: red is the first class's logit, green the second's, and
 * the box is (blue, 0, 0, 0). A pixel's value is (byte − 127) ÷ 16, as the picture's quantisation says.
 */
const picture = quantised(1 / 16, 127)
const stored = quantised(1 / 16, -1)
const plain = { padding: 'same', stride: { width: 1, height: 1 }, activation: 'none' } as const
export const tfliteDetector: TfliteModel = {
  inputs: [0],
  tensors: [
    /* 0 */ tfliteTensor([1, 1, 2, 3], { element: 'uint8', quantisation: picture }),
    /* 1 */ tfliteTensor([1, 1, 2, 3], { quantisation: stored }),
    /* 2 */ weights([2, 1, 1, 3], [1, 0, 0, 0, 1, 0]),
    /* 3 */ noBias(2),
    /* 4 */ tfliteTensor([1, 1, 2, 2], { quantisation: stored }),
    /* 5 */ tfliteTensor([1, 2, 2], { quantisation: stored }),
    /* 6 */ float([1, 2, 2]),
    /* 7 */ float([1, 2, 2]),
    /* 8 */ weights([4, 1, 1, 3], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    /* 9 */ noBias(4),
    /* 10 */ tfliteTensor([1, 1, 2, 4], { quantisation: stored }),
    /* 11 */ tfliteTensor([1, 2, 4], { quantisation: stored }),
    /* 12 */ float([1, 2, 4]),
    /* 13 */ tfliteTensor([2, 4], {
      element: 'float32',
      data: new Uint8Array(Float32Array.of(0.5, 0.25, 1, 0.5, 0.5, 0.75, 1, 0.5).buffer),
      quantisation: undefined,
    }),
    /* 14 */ tfliteTensor([1, 2, 2], { quantisation: quantised(1 / 256, -128) }),
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
