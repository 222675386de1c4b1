import { readFlatbuffer, type FlatTable } from './flatbuffer-reader.ts'
import { readOperator, type TfliteOperator } from './tflite-operator.ts'

/** What a `.tflite` file says, in plain words. Numbers of fields and enums are those of TensorFlow Lite's schema.fbs, v3. */
export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[]
  /** Indices into `tensors`. */
  readonly inputs: readonly number[]
  readonly operators: readonly TfliteOperator[]
}

export type TfliteElement = 'float32' | 'int32' | 'uint8' | 'int8'

export interface TfliteTensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly element: TfliteElement
  /** Empty unless the tensor is a constant. Little-endian; may begin at any address. */
  readonly data: Uint8Array
  readonly quantisation: Quantisation | undefined
}

/** real = scale × (stored − zeroPoint), with one pair for all or one for each slice along `axis`. */
export interface Quantisation {
  readonly scales: readonly number[]
  readonly zeroPoints: readonly number[]
  readonly axis: number
}

const elements: Readonly<Record<number, TfliteElement>> = { 0: 'float32', 2: 'int32', 3: 'uint8', 9: 'int8' }

export function readTflite(file: Uint8Array): TfliteModel {
  const model = readFlatbuffer(file, 'TFL3')
  const codes = model.tables(1)
  const buffers = model.tables(4)
  const [graph, ...others] = model.tables(2)
  if (!graph || others.length > 0) throw new Error('Only a .tflite model with exactly one graph can be converted.')
  const read: TfliteModel = {
    tensors: graph.tables(0).map((tensor) => readTensor(tensor, buffers)),
    inputs: graph.int32s(1),
    operators: graph.tables(3).map((operator) => readOperator(operator, codes)),
  }
  checkTensors(read)
  return read
}

const BYTES: Readonly<Record<TfliteElement, number>> = { float32: 4, int32: 4, uint8: 1, int8: 1 }
/** Far more than any detector has of anything: anchors, pixels of a side, channels. */
const MAX_LENGTH = 2 ** 20

/** Whatever works with a model counts on its tensors being there, and being as large as they say. */
function checkTensors({ tensors, inputs, operators }: TfliteModel): void {
  for (const { name, shape, element, data } of tensors) {
    const bytes = shape.reduce((product, length) => product * length, BYTES[element])
    const isSized = shape.every((length) => length >= 0 && length <= MAX_LENGTH)
    if (!isSized || (data.length > 0 && data.length !== bytes))
      throw new Error(`The tensor ${name} of the .tflite model is not as large as it says.`)
  }
  for (const index of [inputs, ...operators.flatMap((operator) => [operator.inputs, operator.outputs])].flat())
    tensorAt({ tensors }, index)
}

export function tensorAt({ tensors }: Pick<TfliteModel, 'tensors'>, index: number | undefined): TfliteTensor {
  const tensor = tensors[index ?? -1]
  if (!tensor) throw new Error(`The .tflite model names the tensor ${index}, which it does not have.`)
  return tensor
}

function readTensor(tensor: FlatTable, buffers: readonly FlatTable[]): TfliteTensor {
  const name = tensor.string(3)
  const element = elements[tensor.int8(1)]
  if (!element) throw new Error(`The tensor ${name} of the .tflite model has an element type that is not supported.`)
  return {
    name,
    shape: tensor.int32s(0),
    element,
    data: buffers[tensor.uint32(2)]?.bytes(0) ?? new Uint8Array(0),
    quantisation: readQuantisation(tensor.table(4)),
  }
}

function readQuantisation(table: FlatTable | undefined): Quantisation | undefined {
  const scales = table?.float32s(2) ?? []
  if (!table || scales.length === 0) return undefined
  return { scales, zeroPoints: table.int64s(3), axis: table.int32(6) }
}
