import type * as OnnxRuntime from 'onnxruntime-node'
import { type fillTensor, type TensorFilling } from './fill-tensor.ts'

/** What the thread gets to begin with. */
export interface ThreadTask {
  /** The bytes of an ONNX file, or its path. */
  readonly model: Uint8Array | string
  readonly options: OnnxRuntime.InferenceSession.SessionOptions
  /** A file from whose place npm packages are looked up. */
  readonly from: string
}

/** An input or output as the graph declares it. */
export interface TensorInfo {
  readonly name: string
  readonly element: string
  /** Null where the graph leaves a length open. */
  readonly shape: readonly (number | null)[]
}

export interface ModelGraph {
  readonly inputs: readonly TensorInfo[]
  readonly outputs: readonly TensorInfo[]
}

/** How a graph is to be run. */
export interface SessionPlan {
  readonly picture: {
    readonly name: string
    readonly element: 'uint8' | 'float32'
    readonly shape: readonly number[]
    readonly filling: TensorFilling
  }
  /** Other inputs, which are the same for every picture: integers of 64 bits. */
  readonly constants: readonly { readonly name: string; readonly values: readonly number[] }[]
  /** The outputs that are wanted, by role. */
  readonly outputs: Readonly<Record<string, string>>
}

/** Memory that both sides see. */
export interface SharedTensor {
  readonly role: string
  readonly name: string
  readonly element: 'float32' | 'int32'
  readonly shape: readonly number[]
  readonly buffer: SharedArrayBuffer
}

/** The thread loads its model at once; then it gets the plan of how to run it, and then orders to run it, one picture after the other. */
export type ThreadOrder =
  { readonly kind: 'prepare'; readonly plan: SessionPlan } | { readonly kind: 'run' } | { readonly kind: 'close' }

export type ThreadMessage =
  | { readonly kind: 'loaded'; readonly graph: ModelGraph }
  | { readonly kind: 'ready'; readonly canvas: SharedArrayBuffer; readonly outputs: readonly SharedTensor[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Runs a model in a thread of its own, because `InferenceSession.run` blocks the thread that calls it. The canvas
 * becomes the model's tensor here too, so that decoding is not held up by it.
 * Only the text of this function and of `fill` get there (a thread cannot be started from TypeScript everywhere), so
 * they may name nothing outside themselves but types.
 */
export function onnxThread(fill: typeof fillTensor): void {
  const threads = process.getBuiltinModule('node:worker_threads')
  const { parentPort } = threads
  const { model, options, from } = threads.workerData as ThreadTask
  const { createRequire } = process.getBuiltinModule('node:module')
  const { InferenceSession, Tensor } = createRequire(from)('onnxruntime-node') as typeof OnnxRuntime
  /** The bound on the elements of one output: 64 MB. */
  const maxOutputLength = 2 ** 24

  const post = (message: ThreadMessage): void => parentPort?.postMessage(message)
  const fail = (error: unknown): void => post({ kind: 'failed', reason: (error as Error).message })

  const describe = (metadata: readonly OnnxRuntime.InferenceSession.ValueMetadata[]): TensorInfo[] =>
    metadata.map((value) => ({
      name: value.name,
      element: value.isTensor ? value.type : 'something else than numbers',
      shape: value.isTensor ? value.shape.map((size) => (typeof size === 'number' && size > 0 ? size : null)) : [],
    }))

  const lengthOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)

  // ONNX Runtime takes no shared memory: what it reads and writes is private, and copied (0.1 ms).
  const prepareOutput = (role: string, { name, element }: TensorInfo, shape: readonly number[]) => {
    const length = lengthOf(shape)
    if (length > maxOutputLength) throw new Error(`the output "${name}" is too long: ${length} numbers`)
    const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array }
    if (element !== 'float32' && element !== 'int32' && element !== 'int64') {
      throw new Error(`the output "${name}" holds ${element}; only float32, int32 and int64 are supported`)
    }
    const own = new arrays[element](length)
    const shared: SharedTensor = {
      role,
      name,
      element: element === 'float32' ? 'float32' : 'int32',
      shape,
      buffer: new SharedArrayBuffer(4 * length),
    }
    const theirs = shared.element === 'float32' ? new Float32Array(shared.buffer) : new Int32Array(shared.buffer)
    const copy = (): void => {
      if (own instanceof BigInt64Array) own.forEach((value, index) => (theirs[index] = Number(value)))
      else theirs.set(own)
    }
    return { shared, copy, tensor: new Tensor(element, own as never, shape) }
  }

  const begin = async (): Promise<void> => {
    const session = await InferenceSession.create(model as string, options)
    const outputInfos = describe(session.outputMetadata)
    let run = async (): Promise<void> => {}

    const prepare = async ({ picture, constants, outputs: roles }: SessionPlan): Promise<void> => {
      const length = lengthOf(picture.shape)
      const canvas = new SharedArrayBuffer(length)
      const data = picture.element === 'float32' ? new Float32Array(length) : new Uint8Array(length)
      const feeds: Record<string, OnnxRuntime.Tensor> = {
        [picture.name]: new Tensor(picture.element, data as never, picture.shape),
      }
      for (const { name, values } of constants) {
        feeds[name] = new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
      }
      const wanted = Object.entries(roles).map(([role, name]) => {
        return { role, info: outputInfos.find((info) => info.name === name)! }
      })
      // Lengths that the graph leaves open are known once it has run.
      const isOpen = wanted.some(({ info }) => info.shape.includes(null) || info.shape.length === 0)
      const trial = isOpen ? await session.run(feeds, Object.values(roles)) : undefined
      const outputs = wanted.map(({ role, info }) => {
        return prepareOutput(role, info, trial?.[info.name]?.dims ?? (info.shape as readonly number[]))
      })
      const fetches = Object.fromEntries(outputs.map(({ shared, tensor }) => [shared.name, tensor]))
      const bytes = new Uint8Array(canvas)
      run = async () => {
        fill(bytes, data, picture.filling)
        await session.run(feeds, fetches)
        for (const { copy } of outputs) copy()
        post({ kind: 'done' })
      }
      post({ kind: 'ready', canvas, outputs: outputs.map(({ shared }) => shared) })
    }
    const close = async (): Promise<void> => {
      await session.release().finally(() => parentPort?.close())
    }
    const follow = (order: ThreadOrder): Promise<void> => {
      if (order.kind === 'prepare') return prepare(order.plan)
      return order.kind === 'run' ? run() : close()
    }
    // One order after the other: a model must not be released while it is running.
    let last = Promise.resolve()
    parentPort?.on('message', (order: ThreadOrder) => {
      last = last.then(() => follow(order)).catch(fail)
    })
    post({ kind: 'loaded', graph: { inputs: describe(session.inputMetadata), outputs: outputInfos } })
  }

  begin().catch(fail)
}
