import { type Clock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { MAX_ENHANCEMENT_WORKER_BYTES } from '../core/worker-memory.ts'
import { type Enhanced, type FromEnhancer, type ToEnhancer, type TrackToEnhance } from '../enhance/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { neverRestart } from '../supervise/restart-policy.ts'

/** The enhancement's worker, started when it is needed and stopped when it no longer is. */
export interface EnhancementWorker {
  /** Resolves when the worker listens. Rejects with `WorkerUnusable`, or with `WorkerDied`. */
  start(): Promise<void>
  /** Rejects as `start` does. */
  enhance(track: TrackToEnhance): Promise<Enhanced>
  close(): Promise<void>
}

/** Trying again is of no use before somebody did what the message says. */
export class WorkerUnusable extends Error {}
export class WorkerDied extends Error {}

/** How a worker is started; it ends by `onExit`, or when it is stopped. */
export type LaunchWorker = (events: {
  readonly onMessage: (message: FromEnhancer) => void
  readonly onExit: () => void
}) => Pick<Child<ToEnhancer>, 'send' | 'stop' | 'kill'>

const entry = new URL('../enhance/worker.js', import.meta.url)

export function createWorkerLauncher({ clock, log }: { clock: Clock; log: Log }): LaunchWorker {
  return ({ onMessage, onExit }) =>
    startChild<ToEnhancer, FromEnhancer>({
      name: 'enhancement',
      isForOne: true,
      entry,
      clock,
      log,
      restart: neverRestart,
      maxMemoryBytes: MAX_ENHANCEMENT_WORKER_BYTES,
      onStart: () => {},
      onMessage,
      onExit,
    })
}

const START_TIMEOUT_MS = 30_000
/** A plate on six pictures takes seconds; what takes longer hangs. */
const ANSWER_TIMEOUT_MS = 120_000
/** Loading its weights takes seconds, so a worker that is done is kept for a while. */
const IDLE_MS = 15_000

interface Worker {
  readonly child: ReturnType<LaunchWorker>
  readonly ready: Deferred<void>
  /** It has ended, or is about to. */
  fail(error: Error): void
  request: { readonly id: number; readonly answer: Deferred<Enhanced> } | undefined
}

export function createEnhancementWorker({ launch, clock }: { launch: LaunchWorker; clock: Clock }): EnhancementWorker {
  let worker: Worker | undefined
  let requests = 0
  let idle = new AbortController()
  let stopping: Promise<void> = Promise.resolve()

  function startWorker(): Worker {
    const ready = createDeferred()
    ready.promise.catch(() => {})
    const started: Worker = {
      child: launch({
        onMessage: (message) => onMessage(started, message),
        onExit: () => started.fail(new WorkerDied('The enhancement’s worker crashed.')),
      }),
      ready,
      fail(error) {
        if (worker === started) worker = undefined
        ready.reject(error)
        started.request?.answer.reject(error)
        started.request = undefined
      },
      request: undefined,
    }
    return started
  }

  function onMessage(from: Worker, message: FromEnhancer): void {
    switch (message.type) {
      case 'ready':
        return from.ready.resolve()
      case 'unusable':
        from.fail(new WorkerUnusable(message.sentence))
        return void from.child.stop()
      case 'enhanced':
        return from.request?.id === message.request ? from.request.answer.resolve(message.enhanced) : undefined
    }
  }

  /** A worker that does not answer in time is killed: nobody else ends it. */
  async function within<T>(ms: number, from: Worker, answer: Promise<T>): Promise<T> {
    const over = new AbortController()
    void clock.sleep(ms, over.signal).then(() => {
      if (over.signal.aborted) return
      from.fail(new WorkerDied('The enhancement’s worker did not answer in time.'))
      from.child.kill()
    })
    try {
      return await answer
    } finally {
      over.abort()
    }
  }

  async function start(): Promise<Worker> {
    idle.abort()
    await stopping
    worker ??= startWorker()
    const current = worker
    await within(START_TIMEOUT_MS, current, current.ready.promise)
    return current
  }

  /** Lets go of the worker, unless it is needed again soon. */
  function rest(): void {
    idle.abort()
    idle = new AbortController()
    const { signal } = idle
    void clock.sleep(IDLE_MS, signal).then(() => {
      if (!signal.aborted && !worker?.request) void stop()
    })
  }

  function stop(): Promise<void> {
    const current = worker
    worker = undefined
    if (!current) return stopping
    current.fail(new WorkerDied('The enhancement was stopped.'))
    stopping = current.child.stop()
    return stopping
  }

  return {
    async start() {
      await start()
      rest()
    },
    async enhance(track) {
      const current = await start()
      const answer = createDeferred<Enhanced>()
      const id = ++requests
      current.request = { id, answer }
      current.child.send({ type: 'enhance', request: id, track })
      try {
        return await within(ANSWER_TIMEOUT_MS, current, answer.promise)
      } finally {
        if (current.request?.id === id) current.request = undefined
        rest()
      }
    },
    async close() {
      idle.abort()
      await stop()
    },
  }
}
