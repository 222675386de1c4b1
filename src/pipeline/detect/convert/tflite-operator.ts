import { type FlatTable } from './flatbuffer-reader.ts'

/** One step of a `.tflite` graph. `inputs` and `outputs` are indices of tensors. */
export type TfliteOperator = {
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
} & (
  | ({ readonly kind: 'convolution' | 'depthwise-convolution'; readonly activation: Activation } & Window)
  | ({ readonly kind: 'max-pool'; readonly filter: Size } & Window)
  | { readonly kind: 'add'; readonly activation: Activation }
  | { readonly kind: 'concatenation'; readonly axis: number }
  | { readonly kind: 'quantize' | 'dequantize' | 'logistic' | 'reshape' | 'resize-nearest' | 'detection-post-process' }
)

export interface Size {
  readonly height: number
  readonly width: number
}

/** How a filter moves over the picture. */
export interface Window {
  readonly padding: 'same' | 'valid'
  readonly stride: Size
}

/** What is done to a result before it is stored: nothing, or a clamp to 0…6. */
export type Activation = 'none' | 'relu6'

export function readOperator(operator: FlatTable, codes: readonly FlatTable[]): TfliteOperator {
  const code = codes[operator.uint32(0)]
  const tensors = { inputs: operator.int32s(1), outputs: operator.int32s(2) }
  // Newer files hold the number in field 3, because field 0 is a byte and ran out of numbers.
  const builtin = code ? Math.max(code.int8(0), code.int32(3)) : -1
  switch (builtin) {
    case 0:
      return { kind: 'add', ...tensors, activation: readActivation(optionsOf(operator).int8(0)) }
    case 2:
      return { kind: 'concatenation', ...tensors, axis: optionsOf(operator).int32(0) }
    case 3:
      return {
        kind: 'convolution',
        ...tensors,
        ...readConvolution(optionsOf(operator), { activation: 3, dilation: 4 }),
      }
    case 4: {
      const options = readConvolution(optionsOf(operator), { activation: 4, dilation: 5 })
      return { kind: 'depthwise-convolution', ...tensors, ...options }
    }
    case 6:
      return { kind: 'dequantize', ...tensors }
    case 14:
      return { kind: 'logistic', ...tensors }
    case 17: {
      const options = optionsOf(operator)
      const filter = { width: options.int32(3), height: options.int32(4) }
      return { kind: 'max-pool', ...tensors, ...readWindow(options), filter }
    }
    case 22:
      return { kind: 'reshape', ...tensors }
    case 97:
      return { kind: 'resize-nearest', ...tensors, ...checkResize(optionsOf(operator)) }
    case 114:
      return { kind: 'quantize', ...tensors }
    case 32:
      if (code?.string(1) === 'TFLite_Detection_PostProcess') return { kind: 'detection-post-process', ...tensors }
  }
  throw unsupported(`operator ${code?.string(1) || builtin}`)
}

function unsupported(what: string): Error {
  return new Error(`The .tflite model uses ${what}, which cannot be converted; bring the model as an ONNX file.`)
}

function optionsOf(operator: FlatTable): FlatTable {
  const options = operator.table(4)
  if (!options) throw unsupported('an operator without its options')
  return options
}

function readWindow(options: FlatTable): Window {
  return {
    padding: options.int8(0) === 0 ? 'same' : 'valid',
    stride: { width: options.int32(1), height: options.int32(2) },
  }
}

function readConvolution(options: FlatTable, field: { activation: number; dilation: number }) {
  const isDilated = options.int32(field.dilation, 1) !== 1 || options.int32(field.dilation + 1, 1) !== 1
  if (isDilated) throw unsupported('a dilated convolution')
  return { ...readWindow(options), activation: readActivation(options.int8(field.activation)) }
}

function readActivation(code: number): Activation {
  if (code === 0) return 'none'
  if (code === 3) return 'relu6'
  throw unsupported(`activation ${code}`)
}

function checkResize(options: FlatTable): Record<never, never> {
  if (options.bool(0) || options.bool(1)) throw unsupported('a resize with aligned corners or half-pixel centres')
  return {}
}
