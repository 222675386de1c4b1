import type * as OnnxRuntime from 'onnxruntime-node'

/** What the thread gets to begin with. */
export interface ThreadTask {
  readonly model: Uint8Array
  readonly options: OnnxRuntime.InferenceSession.SessionOptions
  /** A file from whose place npm packages are looked up. */
  readonly from: string
}

/** Memory that both sides see. The thread is told to `run` or `close`; it answers a run by `done` or `failed`. */
export interface SharedTensor {
  readonly name: string
  readonly element: 'float32' | 'int32' | 'uint8'
  readonly shape: readonly number[]
  readonly buffer: SharedArrayBuffer
}

export type ThreadMessage =
  | { readonly kind: 'ready'; readonly input: SharedTensor; readonly outputs: readonly SharedTensor[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Runs a model in a thread of its own, because `InferenceSession.run` blocks the thread that calls it.
 * Only the text of this function gets there (a thread cannot be started from TypeScript everywhere), so it may name
 * nothing outside itself but types.
 */
export function onnxThread(): void {
  const threads = process.getBuiltinModule('node:worker_threads')
  const { parentPort } = threads
  const { model, options, from } = threads.workerData as ThreadTask
  const { createRequire } = process.getBuiltinModule('node:module')
  const { InferenceSession, Tensor } = createRequire(from)('onnxruntime-node') as typeof OnnxRuntime

  const tell = (message: ThreadMessage): void => parentPort?.postMessage(message)
  const fail = (error: unknown): void => tell({ kind: 'failed', reason: String(error) })

  // ONNX Runtime takes no shared memory: what it reads and writes is private, and copied (0.1 ms).
  const prepare = (metadata: OnnxRuntime.InferenceSession.ValueMetadata | undefined, isInput: boolean) => {
    const { name = '', type, shape } = metadata?.isTensor ? metadata : {}
    const sizes = shape?.filter((size) => typeof size === 'number')
    if (!sizes || sizes.length !== shape?.length) throw new Error(`the tensor "${name}" has no fixed shape`)
    const length = sizes.reduce((product, size) => product * size, 1)
    const arrays = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array }
    const isBytes = type === 'uint8'
    if ((!isBytes && type !== 'float32' && type !== 'int32') || isBytes !== isInput) {
      throw new Error(`the tensor "${name}" holds ${type}, which is not supported`)
    }
    const data = new arrays[type](length)
    const shared = { name, element: type, shape: sizes, buffer: new SharedArrayBuffer(data.byteLength) }
    return {
      shared,
      tensor: new Tensor(type, data as never, sizes),
      ownBytes: new Uint8Array(data.buffer),
      sharedBytes: new Uint8Array(shared.buffer),
    }
  }

  const begin = async (): Promise<void> => {
    const session = await InferenceSession.create(model, options)
    const input = prepare(session.inputMetadata[0], true)
    const outputs = session.outputMetadata.map((metadata) => prepare(metadata, false))
    const feeds = { [input.shared.name]: input.tensor }
    const fetches = Object.fromEntries(outputs.map((output) => [output.shared.name, output.tensor]))

    const run = async (): Promise<void> => {
      input.ownBytes.set(input.sharedBytes)
      await session.run(feeds, fetches)
      for (const { sharedBytes, ownBytes } of outputs) sharedBytes.set(ownBytes)
      tell({ kind: 'done' })
    }
    const close = async (): Promise<void> => {
      await session.release().finally(() => parentPort?.close())
    }
    // One order after the other: a model must not be released while it is running.
    let last = Promise.resolve()
    parentPort?.on('message', (order: 'run' | 'close') => {
      last = last.then(order === 'run' ? run : close).catch(fail)
    })
    tell({ kind: 'ready', input: input.shared, outputs: outputs.map(({ shared }) => shared) })
  }

  begin().catch(fail)
}
