import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { type Clock } from '../core/clock.ts'
import { createRecentMaximum } from '../observe/loop-delay.ts'
import { isHeartbeat } from './child-entry.ts'
import { startHangWatch } from './hang-watch.ts'
import { watchMemory } from './memory-watch.ts'
import { childArguments } from './orphans.ts'
import { firstThreadOf, threadsOf } from './proc.ts'
import { type Exit } from './restart-policy.ts'

/** One process of a child, from its fork to its exit; `child.ts` starts the next one. */
export interface ChildRun {
  readonly pid: number | undefined
  /** How late its event loop was at the worst in the last seconds. */
  readonly loopDelayMs: number
  /** From now on those that serve everybody go before it where there are too few cores. By default a little. */
  lowerPriority(by?: number): void
  /** Nothing happens when the process no longer listens. */
  send(message: object): void
  kill(): void
  /** Asks the process to go, and kills it if it does not. Resolves when it is gone. */
  stop(timeoutMs: number): Promise<void>
}

export interface ChildRunOptions {
  /** The file that the process runs. */
  readonly entry: URL
  /** Beyond it the process is killed. */
  readonly maxMemoryBytes: number | undefined
  /** After a longer silence it is killed. */
  readonly maxSilenceMs: number
  readonly clock: Clock
  /** It has loaded its code and listens, or is gone; may be called more than once. */
  onStarted(): void
  onMessage(message: unknown): void
  /** The channel failed; if the process ends of it, `onExit` follows. */
  onError(error: unknown): void
  /** Called once. */
  onExit(exit: Exit): void
}

/** Heartbeats that the worst delay is taken of. */
const RECENT_HEARTBEATS = 10

/** More niceness than ours: a third of the share of other processes that want the same core. */
const BEHIND = 5
/** Of one that nobody waits for: a third of the share of those. */
export const FAR_BEHIND = 10
/** There is no more. */
const MAX_NICENESS = 19

/** Children get what they need by messages: no setting is for them, so no secret among the settings can be forgotten here. */
const NOT_FOR_CHILDREN = /^(AERIE_|PGPASSWORD$)/

/** Throws when the process cannot be made, as some failures (no memory, an environment too large) are not events. */
export function startChildRun(options: ChildRunOptions): ChildRun {
  const { clock } = options
  const startedAtMs = clock.steady()
  const child = forkChild(options.entry)
  /** Why we have killed it. */
  let reason: Pick<Exit, 'isOverMemory' | 'isHung'> = {}
  function kill(why: typeof reason): void {
    reason = why
    child.kill('SIGKILL')
  }
  const memory = watch(child, options.maxMemoryBytes, () => kill({ isOverMemory: true }))
  const hangWatch = startHangWatch({
    onHung: () => kill({ isHung: true }),
    maxSilenceMs: options.maxSilenceMs,
    firstThread: () => firstThreadOf(child.pid),
    clock,
  })
  const loopDelay = createRecentMaximum(RECENT_HEARTBEATS)

  child.on('message', (message) => {
    options.onStarted()
    hangWatch.noteSign()
    if (isHeartbeat(message)) loopDelay.note(message.loopDelayMs)
    else options.onMessage(message)
  })
  // The channel may close between our look and our message; the exit follows.
  child.on('error', (error) => options.onError(error))

  const gone = new Promise<void>((resolve) => {
    let isEnded = false
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      options.onStarted()
      if (isEnded) return
      isEnded = true
      memory?.stop()
      hangWatch.stop()
      resolve()
      options.onExit({ code, signal, afterMs: clock.steady() - startedAtMs, ...reason })
    }
    child.once('exit', end)
    // A process that could not even be made (no memory, no handles) never exits.
    child.once('error', () => child.pid === undefined && end(null, null))
  })

  return {
    pid: child.pid,
    get loopDelayMs() {
      return loopDelay.value
    },
    lowerPriority: (by = BEHIND) => lowerPriority(child, by),
    send: (message) => void (child.connected && child.send(message, () => {})),
    kill: () => void child.kill('SIGKILL'),
    async stop(timeoutMs) {
      // One that is asked to go sends nothing any more.
      hangWatch.stop()
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await gone
      clearTimeout(timer)
    },
  }
}

function forkChild(entry: URL): ChildProcess {
  return fork(entry, childArguments(), {
    serialization: 'advanced',
    // What main was started with, such as the port of a debugger, is for main.
    execArgv: [],
    // Reads of live streams each hold a thread of the pool; with the default of four, files would wait for cameras.
    env: { ...withoutSettings(process.env), UV_THREADPOOL_SIZE: '32' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_CHILDREN.test(name)))
}

/** Of all its threads: each has a priority of its own, and those that exist already keep theirs. */
function lowerPriority({ pid }: ChildProcess, by: number): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, Math.min(getPriority() + by, MAX_NICENESS))
    } catch {
      // It is gone already; of the last one the exit follows.
    }
  }
}

function watch({ pid }: ChildProcess, maxBytes: number | undefined, onExceeded: () => void) {
  return pid === undefined || maxBytes === undefined ? undefined : watchMemory(pid, maxBytes, onExceeded)
}
