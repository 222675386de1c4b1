/** A graph of ONNX operators as plain data: what the converter makes and `onnx-writer.ts` writes. */
export interface OnnxGraph {
  readonly name: string
  readonly inputs: readonly OnnxValue[]
  readonly outputs: readonly OnnxValue[]
  /** In an order in which every node comes after those whose outputs it takes. */
  readonly nodes: readonly OnnxNode[]
  /** Constants by name. */
  readonly constants: ReadonlyMap<string, OnnxTensor>
}

export type OnnxElement = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64'

export interface OnnxValue {
  readonly name: string
  readonly element: OnnxElement
  /** A word stands for a length that is left open. */
  readonly shape: readonly (number | string)[]
}

export interface OnnxNode {
  readonly operator: string
  /** Left out for ONNX's own operators; `com.microsoft` for those that only ONNX Runtime knows. */
  readonly domain?: string
  /** Names; an empty one is an optional input left out. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>
}

/** A number is written as an integer attribute: none of the operators in use has a float one. */
export type OnnxAttribute = number | string | readonly number[]

export interface OnnxTensor {
  readonly element: OnnxElement
  readonly shape: readonly number[]
  /** The elements, little-endian. */
  readonly data: Uint8Array
}

export function float32Tensor(shape: readonly number[], values: Iterable<number>): OnnxTensor {
  return { element: 'float32', shape, data: bytesOf(Float32Array.from(values)) }
}

export function int32Tensor(shape: readonly number[], values: Iterable<number>): OnnxTensor {
  return { element: 'int32', shape, data: bytesOf(Int32Array.from(values)) }
}

export function int64Tensor(shape: readonly number[], values: Iterable<number>): OnnxTensor {
  return { element: 'int64', shape, data: bytesOf(BigInt64Array.from(values, BigInt)) }
}

// Every platform that ONNX Runtime is built for is little-endian, so the memory is already in the file's order.
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
