import { type DecoderOptions, type OutputNames, type OutputShape } from './model-family.ts'
import { type TensorInfo } from './onnx-thread.ts'

/** Half sentences that say what was expected of a model's outputs, and what is there. */

/** `1×84×8400`; `?` where the graph leaves a length open. */
export function shapeText(shape: readonly (number | null)[]): string {
  return shape.length === 0 ? 'a single number' : shape.map((length) => length ?? '?').join('×')
}

export function listTensors(tensors: readonly TensorInfo[]): string {
  return tensors.map(({ name, shape }) => `"${name}" (${shapeText(shape)})`).join(', ') || 'none'
}

/** Finds an output for every role: the one that was named for it, or the first that has one of the usual names. */
export function findOutputs(
  available: readonly TensorInfo[],
  defaults: Readonly<Record<string, readonly string[]>>,
  named: OutputNames = {},
): OutputNames {
  const strange = Object.keys(named).filter((role) => !(role in defaults))
  if (strange.length > 0)
    throw new Error(`"outputs" names ${strange.join(', ')}, but this family has: ${Object.keys(defaults).join(', ')}`)

  const found = Object.entries(defaults).map(([role, names]) => {
    const wanted = named[role] === undefined ? names : [named[role]]
    const name = wanted.find((candidate) => available.some((tensor) => tensor.name === candidate))
    if (name !== undefined) return [role, name]
    throw new Error(
      `it has no output ${wanted.map((one) => `"${one}"`).join(' or ')}; its outputs are: ${listTensors(available)}`,
    )
  })
  return Object.fromEntries(found) as OutputNames
}

/** The role `output` for a family that has only one. */
export function findOnlyOutput(available: readonly TensorInfo[], named: OutputNames): OutputNames {
  if (named['output'] === undefined && available.length !== 1)
    throw new Error(`it has ${available.length} outputs instead of one: ${listTensors(available)}`)
  return findOutputs(available, { output: available.map(({ name }) => name) }, named)
}

/** Checks a shape against a pattern, in which a letter stands for any length, and answers the lengths. */
export function fitShape({ name, shape }: OutputShape, ...pattern: readonly (number | string)[]): readonly number[] {
  const fits =
    shape.length === pattern.length &&
    pattern.every((length, axis) => typeof length === 'string' || length === shape[axis])
  if (fits) return shape
  throw new Error(`its output "${name}" is ${shapeText(shape)}, but ${pattern.join('×')} is expected`)
}

/** Checks that a model distinguishes as many classes as are named, or at least as many if only some are named. */
export function fitClasses(
  found: number,
  { classes, areAllClasses }: Pick<DecoderOptions, 'classes' | 'areAllClasses'>,
): void {
  if (areAllClasses ? found === classes.length : found >= classes.length) return
  throw new Error(
    areAllClasses
      ? `it tells ${found} classes apart, but model.json names ${classes.length}; ` +
          'name them all in their order, or only some by their number, as in {"0": "person"}'
      : `it tells ${found} classes apart, numbered from 0, but model.json names number ${classes.length - 1}`,
  )
}
