import { Worker } from 'node:worker_threads'
import { type InferenceProvider } from '../../core/inference-provider.ts'
import '../../core/no-onnx-telemetry.ts'
import { fillTensor } from './fill-tensor.ts'
import { type ModelOutputs, type OutputShape } from './model-family.ts'
import {
  type ModelGraph,
  onnxThread,
  type SessionPlan,
  type SharedTensor,
  type ThreadMessage,
  type ThreadOrder,
  type ThreadTask,
} from './onnx-thread.ts'
import { planBytes } from './session-plan.ts'

/** A model that is loaded and ready, in a thread of its own: decoding and encoding go on while it works. */
export interface OnnxSession<Plan extends SessionPlan = SessionPlan> {
  readonly plan: Plan
  /** By role. */
  readonly outputs: Readonly<Record<string, OutputShape>>
  /** One picture at a time. What it answers is overwritten by the next run. */
  run(image: Uint8Array): Promise<ModelOutputs>
  /** Resolves when the thread has ended; waits for a run that is under way. */
  close(): Promise<void>
}

export interface SessionOptions<Plan extends SessionPlan = SessionPlan> {
  /** The bytes of an ONNX file, or its path. */
  readonly model: Uint8Array | string
  /** How many cores one run uses. More than one pays only while other cores are idle. */
  readonly threads?: number
  /** What computes it; the CPU by default, which also takes what an accelerator can't compute. */
  readonly provider?: InferenceProvider | undefined
  /** How the graph is to be run; may throw a reason why it can't. By default it takes bytes, and answers every output. */
  readonly plan?: (graph: ModelGraph) => Plan
}

export async function openSession<Plan extends SessionPlan>(
  options: SessionOptions<Plan> & { readonly plan: (graph: ModelGraph) => Plan },
): Promise<OnnxSession<Plan>>
export async function openSession(options: SessionOptions): Promise<OnnxSession>
export async function openSession({
  model,
  threads = 1,
  provider = 'cpu',
  plan: planFor = planBytes,
}: SessionOptions): Promise<OnnxSession> {
  const task: ThreadTask = {
    model,
    from: import.meta.url,
    options: {
      // Alone: one that is not there would be left out of a longer list, and nobody told.
      executionProviders: [provider],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      // Waiting threads sleep instead of spinning: the cores are needed for decoding and encoding.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    },
  }
  const code = `(${onnxThread.toString()})(${fillTensor.toString()})`
  const worker = new Worker(code, { eval: true, workerData: task })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  /** The caller that waits for the thread's next message: one at most. */
  let waiting: { resolve(message: ThreadMessage): void; reject(error: Error): void } | undefined
  let failure: Error | undefined

  const settle = (act: (waiter: NonNullable<typeof waiting>) => void): void => {
    const waiter = waiting
    waiting = undefined
    if (waiter) act(waiter)
  }
  const end = (error: Error): void => {
    failure ??= error
    settle((waiter) => waiter.reject(error))
  }
  worker.on('message', (message: ThreadMessage) => settle((waiter) => waiter.resolve(message)))
  worker.on('error', (error) => end(new Error('The model crashed; start the process again.', { cause: error })))
  worker.on('exit', () => end(new Error('The model has been closed.')))

  function order(message: ThreadOrder): void {
    worker.postMessage(message)
  }
  function nextMessage(): Promise<ThreadMessage> {
    return new Promise((resolve, reject) => {
      if (failure) reject(failure)
      else waiting = { resolve, reject }
    })
  }
  async function expect<Kind extends ThreadMessage['kind']>(
    kind: Kind,
  ): Promise<Extract<ThreadMessage, { kind: Kind }>> {
    const message = await nextMessage()
    if (message.kind === kind) return message as Extract<ThreadMessage, { kind: Kind }>
    throw new Error(message.kind === 'failed' ? message.reason : `unexpected: ${message.kind}`)
  }
  async function close(): Promise<void> {
    // Ending the thread by force in the middle of a run would abort the whole process, so it is asked to go.
    order({ kind: 'close' })
    await ended
  }
  async function begin() {
    try {
      const { graph } = await expect('loaded')
      const plan = planFor(graph)
      order({ kind: 'prepare', plan })
      return { plan, ...(await expect('ready')) }
    } catch (error) {
      await worker.terminate()
      throw new Error(`The model cannot be loaded: ${(error as Error).message}`, { cause: error })
    }
  }

  const { plan, canvas, outputs: tensors } = await begin()
  const input = new Uint8Array(canvas)
  const outputs: ModelOutputs = Object.fromEntries(tensors.map((tensor) => [tensor.role, viewOf(tensor)]))

  return {
    plan,
    outputs: Object.fromEntries(tensors.map(({ role, name, shape }) => [role, { name, shape }])),
    async run(image) {
      if (waiting) throw new Error('The model is busy: wait for its last run before the next one.')
      if (image.length !== input.length) {
        throw new Error(`The model takes a picture of ${input.length} bytes, but got ${image.length}.`)
      }
      input.set(image)
      const answer = nextMessage()
      order({ kind: 'run' })
      const message = await answer
      if (message.kind === 'failed') throw new Error(`The model failed: ${message.reason}`)
      return outputs
    },
    close,
  }
}

function viewOf({ element, buffer }: SharedTensor): Float32Array | Int32Array {
  return element === 'float32' ? new Float32Array(buffer) : new Int32Array(buffer)
}
