import { type TfliteModel, type TfliteTensor } from '../../src/pipeline/detect/convert/tflite-model.ts'
import { type TfliteOperator } from '../../src/pipeline/detect/convert/tflite-operator.ts'
import { type FlatField, type FlatFields, writeFlatbuffer } from './flatbuffer.ts'

const number = (value: number): FlatField => ({ kind: 'number', value })
const numbers = (value: readonly number[], element: 'int32' | 'float32' | 'int64' = 'int32'): FlatField => ({
  kind: 'numbers',
  element,
  value,
})
const text = (value: string): FlatField => ({ kind: 'bytes', value: Buffer.from(value) })
const tables = (value: readonly FlatFields[]): FlatField => ({ kind: 'tables', value })

/** TensorFlow Lite's numbers of operators and elements (schema.fbs, v3). */
const BUILTINS: Readonly<Record<TfliteOperator['kind'], number>> = {
  add: 0,
  concatenation: 2,
  convolution: 3,
  'depthwise-convolution': 4,
  dequantize: 6,
  logistic: 14,
  'max-pool': 17,
  reshape: 22,
  'detection-post-process': 32,
  'resize-nearest': 97,
  quantize: 114,
}
const ELEMENTS = { float32: 0, int32: 2, uint8: 3, int8: 9 } as const

/** A model as a `.tflite` file; options of operators are left at their defaults but for a convolution's steps. */
export function writeTflite({ tensors, inputs, operators }: TfliteModel): Buffer {
  const kinds = [...new Set(operators.map(({ kind }) => kind))]
  const codes = kinds.map((kind) => {
    const name = kind === 'detection-post-process' ? text('TFLite_Detection_PostProcess') : undefined
    return [number(BUILTINS[kind]), name, undefined, number(BUILTINS[kind])]
  })
  const graph = [
    tables(tensors.map(tensorFields)),
    numbers(inputs),
    undefined,
    tables(operators.map((operator) => operatorFields(operator, kinds.indexOf(operator.kind)))),
  ]
  const buffers = tensors.map(({ data }): FlatFields => [{ kind: 'bytes', value: data }])
  return writeFlatbuffer('TFL3', [number(3), tables(codes), tables([graph]), undefined, tables(buffers)])
}

function tensorFields({ name, shape, element, quantisation }: TfliteTensor, index: number): FlatFields {
  const fields: FlatField = quantisation && {
    kind: 'table',
    value: [
      undefined,
      undefined,
      numbers(quantisation.scales, 'float32'),
      numbers(quantisation.zeroPoints, 'int64'),
      undefined,
      undefined,
      number(quantisation.axis),
    ],
  }
  return [numbers(shape), number(ELEMENTS[element]), number(index), text(name), fields]
}

function operatorFields(operator: TfliteOperator, code: number): FlatFields {
  const options: FlatFields =
    'stride' in operator ? [number(0), number(operator.stride.width), number(operator.stride.height)] : []
  return [
    number(code),
    numbers(operator.inputs),
    numbers(operator.outputs),
    undefined,
    { kind: 'table', value: options },
  ]
}
