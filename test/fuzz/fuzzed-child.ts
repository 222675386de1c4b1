import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isHeartbeat } from '../../src/supervise/child-entry.ts'
import { watchMemory } from '../../src/supervise/memory-watch.ts'
import { within } from './within.ts'

/** A worker in a process of its own, as the service has it: what ends it is noticed, and the next question starts it anew. */
export interface FuzzedChild<Question extends object, Answer> {
  /** One at a time. Rejects when the process ends instead of answering, or takes too long. */
  ask(question: Question): Promise<Answer>
  /** Nothing is waited for. */
  send(message: Question): void
  readonly pid: number | undefined
  close(): Promise<void>
}

export interface FuzzedChildOptions<Question extends object, Answer> {
  /** The TypeScript file that it runs. */
  readonly entry: URL
  /** What it is sent before anything else. */
  readonly greeting?: Question
  /** What is no answer is left unread. */
  readonly isAnswer: (message: unknown) => message is Answer
  /** Beyond it the process is killed, as the service does it too; then this is the answer. */
  readonly maxMemory?: { readonly bytes: number; readonly answer: Answer }
}

/** Its start included, on a machine that is busy. */
const MAX_ANSWER_MS = 50_000
const MAX_STDERR_LENGTH = 4_000
const VITE_NODE = fileURLToPath(new URL('../../node_modules/vite-node/vite-node.mjs', import.meta.url))
const CONFIG = fileURLToPath(new URL('./vite.config.ts', import.meta.url))

export function createFuzzedChild<Question extends object, Answer>(
  options: FuzzedChildOptions<Question, Answer>,
): FuzzedChild<Question, Answer> {
  const { entry, greeting, isAnswer, maxMemory } = options
  let child: ChildProcess | undefined
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  function start(): ChildProcess {
    const started = fork(VITE_NODE, ['-c', CONFIG, fileURLToPath(entry)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    let isOverMemory = false
    const watch =
      maxMemory &&
      watchMemory(started.pid!, maxMemory.bytes, () => {
        isOverMemory = true
        started.kill('SIGKILL')
      })
    started.stderr!.on('data', (text: Buffer) => (stderr = (stderr + text.toString()).slice(-MAX_STDERR_LENGTH)))
    started.on('message', (message) => {
      if (!isHeartbeat(message) && isAnswer(message)) waiting?.resolve(message)
    })
    started.once('exit', (code, signal) => {
      watch?.stop()
      child = undefined
      if (isOverMemory) waiting?.resolve(maxMemory!.answer)
      else waiting?.reject(new Error(`The worker ended (${signal ?? code}). ${stderr}`))
    })
    if (greeting) started.send(greeting)
    return started
  }

  return {
    async ask(question) {
      child ??= start()
      const asked = child
      const answered = new Promise<Answer>((resolve, reject) => (waiting = { resolve, reject }))
      asked.send(question)
      try {
        return await within(MAX_ANSWER_MS, answered, 'The worker does not answer.')
      } catch (error) {
        // One that hangs would answer nothing more.
        asked.kill('SIGKILL')
        throw error
      } finally {
        waiting = undefined
      }
    },
    send: (message) => void child?.send(message),
    get pid() {
      return child?.pid
    },
    async close() {
      const closed = child
      if (!closed) return
      const gone = new Promise((resolve) => closed.once('exit', resolve))
      closed.disconnect()
      await gone
    },
  }
}
