import { type Size } from '../../core/detection.ts'
import { type OutputNames, type PictureFormat } from './model-family.ts'
import { type ModelGraph, type SessionPlan, type TensorInfo } from './onnx-thread.ts'
import { listTensors, shapeText } from './output-fit.ts'

/** The longest side of a picture that a model may ask for. */
export const MAX_SIDE = 4096

export interface PicturePlan extends SessionPlan {
  readonly size: Size
}

/** Exports by the authors of RT-DETR and D-FINE want to know how large the picture is, as width and height. */
const sizeInput = 'orig_target_sizes'

/** How a detector's graph is run. `size` is needed if the graph leaves it open. Throws half a sentence. */
export function planPicture(
  { inputs }: ModelGraph,
  format: PictureFormat,
  size: Size | undefined,
  outputs: OutputNames,
): PicturePlan {
  const pictures = inputs.filter(({ name }) => name !== sizeInput)
  const [input] = pictures
  if (pictures.length !== 1 || !input) {
    throw new Error(`it has ${inputs.length} inputs instead of one picture: ${listTensors(inputs)}`)
  }
  const element = elementOf(input)
  const layout = layoutOf(input)
  const found = sizeOf(input, layout, size)
  const scaling = element === 'float32' ? scalingOf(format) : undefined
  return {
    size: found,
    picture: {
      name: input.name,
      element,
      shape: layout === 'planes' ? [1, 3, found.height, found.width] : [1, found.height, found.width, 3],
      filling: { layout, order: format.order, ...(scaling && { scaling }) },
    },
    constants: inputs.length > 1 ? [{ name: sizeInput, values: [found.width, found.height] }] : [],
    outputs,
  }
}

/** A graph that takes bytes of a fixed shape as they come and answers all its outputs. */
export function planBytes({ inputs: [input], outputs }: ModelGraph): SessionPlan {
  const shape = input?.shape.filter((length) => length !== null)
  if (!input || input.element !== 'uint8' || shape?.length !== input.shape.length) {
    throw new Error(`its input is not bytes of a fixed shape, but ${input?.element} ${shapeText(input?.shape ?? [])}`)
  }
  return {
    picture: { name: input.name, element: 'uint8', shape, filling: { layout: 'pixels', order: 'rgb' } },
    constants: [],
    outputs: Object.fromEntries(outputs.map(({ name }) => [name, name])),
  }
}

function elementOf({ name, element }: TensorInfo): 'uint8' | 'float32' {
  if (element === 'uint8' || element === 'float32') return element
  throw new Error(`its input "${name}" holds ${element}; export it with float32 (or uint8) inputs`)
}

function layoutOf({ name, shape }: TensorInfo): 'pixels' | 'planes' {
  const [batch, second, , last] = shape
  if (shape.length !== 4 || (second !== 3 && second !== null && last !== 3)) {
    throw new Error(`its input "${name}" is ${shapeText(shape)}, but 1×3×height×width or 1×height×width×3 is expected`)
  }
  if (batch !== 1 && batch !== null) {
    throw new Error(`its input "${name}" takes ${batch} pictures at once; export it for one (batch size 1)`)
  }
  return last === 3 && second !== 3 ? 'pixels' : 'planes'
}

function sizeOf({ name, shape }: TensorInfo, layout: 'pixels' | 'planes', wanted: Size | undefined): Size {
  const [height, width] = layout === 'planes' ? shape.slice(2) : shape.slice(1, 3)
  const found = { width: width ?? wanted?.width, height: height ?? wanted?.height }
  if (found.width === undefined || found.height === undefined) {
    throw new Error(
      `its input "${name}" takes pictures of any size; say in model.json which: "input": {"width": 640, "height": 640}`,
    )
  }
  if (wanted && (wanted.width !== found.width || wanted.height !== found.height)) {
    throw new Error(
      `its input "${name}" takes pictures of ${found.width}×${found.height}, ` +
        `but model.json says ${wanted.width}×${wanted.height}`,
    )
  }
  if (found.width > MAX_SIDE || found.height > MAX_SIDE) {
    throw new Error(`it takes pictures of ${found.width}×${found.height}; ${MAX_SIDE} a side is the most`)
  }
  return { width: found.width, height: found.height }
}

function scalingOf({ range, mean, deviation }: PictureFormat) {
  return {
    factors: deviation.map((value) => range / 255 / value),
    offsets: mean.map((value, channel) => -value / deviation[channel]!),
  }
}
