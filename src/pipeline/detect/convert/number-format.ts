import { type OnnxTensor } from './onnx-graph.ts'

/**
 * How 8-bit numbers are stored in the converted graph. TensorFlow Lite stores all of them signed; adding 128 to
 * every value and to its zero point says the same in unsigned ones. Which pair is fast, and on some processors
 * which is exact, depends on the machine: see `number-format-choice.ts`.
 */
export interface NumberFormat {
  readonly activations: 'int8' | 'uint8'
  readonly weights: 'int8' | 'uint8'
}

type ByteFormat = NumberFormat['activations']

/** `values`, stored as signed bytes, in `format`. */
export function byteTensor(format: ByteFormat, shape: readonly number[], values: Uint8Array): OnnxTensor {
  // Adding 128 modulo 256 is the same as turning the highest bit over.
  return { element: format, shape, data: format === 'int8' ? values : values.map((value) => value ^ 0x80) }
}

/** One signed value, in `format`. */
export function byteScalar(format: ByteFormat, value: number): OnnxTensor {
  return byteTensor(format, [], Uint8Array.of(value))
}
