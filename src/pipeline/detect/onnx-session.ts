import { Worker } from 'node:worker_threads'
import { type ModelOutputs } from './model-family.ts'
import { onnxThread, type SharedTensor, type ThreadMessage, type ThreadTask } from './onnx-thread.ts'

/** A model that is loaded and ready, in a thread of its own: decoding and encoding go on while it works. */
export interface OnnxSession {
  readonly inputShape: readonly number[]
  /** One picture at a time. What it answers is overwritten by the next run. */
  run(image: Uint8Array): Promise<ModelOutputs>
  /** Resolves when the thread has ended; waits for a run that is under way. */
  close(): Promise<void>
}

export interface SessionOptions {
  readonly model: Uint8Array
  /** How many cores one run uses. More than one pays only while other cores are idle. */
  readonly threads?: number
}

export async function openSession({ model, threads = 1 }: SessionOptions): Promise<OnnxSession> {
  const task: ThreadTask = {
    model,
    from: import.meta.url,
    options: {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      // Waiting threads sleep instead of spinning: the cores are needed for decoding and encoding.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    },
  }
  const worker = new Worker(`(${onnxThread.toString()})()`, { eval: true, workerData: task })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  /** Who waits for the thread's next message: one at most. */
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

  function nextMessage(): Promise<ThreadMessage> {
    return new Promise((resolve, reject) => {
      if (failure) reject(failure)
      else waiting = { resolve, reject }
    })
  }

  async function close(): Promise<void> {
    // Ending the thread by force in the middle of a run would abort the whole process, so it is asked to go.
    worker.postMessage('close')
    await ended
  }

  const ready = await nextMessage()
  if (ready.kind !== 'ready') {
    await worker.terminate()
    throw new Error(`The model cannot be loaded: ${ready.kind === 'failed' ? ready.reason : ready.kind}`)
  }
  const input = new Uint8Array(ready.input.buffer)
  const outputs: ModelOutputs = Object.fromEntries(ready.outputs.map((output) => [output.name, viewOf(output)]))

  return {
    inputShape: ready.input.shape,
    async run(image) {
      if (waiting) throw new Error('The model is busy: wait for its last run before the next one.')
      if (image.length !== input.length) {
        throw new Error(`The model takes a picture of ${input.length} bytes, but got ${image.length}.`)
      }
      input.set(image)
      const answer = nextMessage()
      worker.postMessage('run')
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
