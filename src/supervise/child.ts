import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { READY } from './child-entry.ts'
import { type MemoryWatch, watchMemory } from './memory-watch.ts'
import { crashesSoFar, type Exit, type RestartPolicy } from './restart-policy.ts'
import { createStartSlots, type StartSlots, type StartTurn } from './start-slots.ts'

/**
 * A child process that is kept alive as its policy says. Children leave by themselves when the channel to us
 * closes (see `child-entry.ts`), so nothing is left behind even when we are killed.
 */
export interface Child<In> {
  /** Nothing happens while the child is not running; it is told anew in `onStart` when it is back. */
  send(message: In): void
  readonly pid: number | undefined
  /** Ends it at once, as a crash would: its policy says what happens next. */
  kill(): void
  /** Ends it as `stop` does, and starts it anew at once. That is no crash, and its policy is not asked. */
  relaunch(): Promise<void>
  /** Asks the child to go, and kills it if it does not. Resolves when it is gone. */
  stop(): Promise<void>
}

export interface ChildOptions<In, Out> {
  readonly name: string
  /** The file that the child runs. */
  readonly entry: URL
  readonly clock: Clock
  readonly log: Log
  readonly restart: RestartPolicy
  /** The child is there: tell it what to do. Called again after every restart. */
  onStart(send: (message: In) => void): void
  onMessage(message: Out): void
  /** It ended, and `verdict` is what happens next. */
  onExit?(exit: Exit, verdict: 'restart' | 'give-up' | 'stopped' | 'relaunch'): void
  readonly stopAfterMs?: number
  /** It works for one stream or file: those that serve everybody go before it where there are too few cores. */
  readonly isForOne?: boolean
  /** It waits for its turn while others are starting; where this is missing it starts at once. */
  readonly startTurn?: StartTurn
  /** Beyond it the child is killed. */
  readonly maxMemoryBytes?: number
}

/** Of the whole machine. */
const machineSlots = createStartSlots()

/** Of a start, which usually takes one second: beyond it the machine is too small for what is asked of it. */
const LONG_WAIT_MS = 5_000

/** More niceness than ours: a third of the share that others have who want the same core. */
const BEHIND = 5

function goBehind({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + BEHIND, 19))
  } catch {
    // It is gone already, which its exit tells.
  }
}

/** No setting is for children, who are told by messages what they need: so no secret among them can be forgotten here. */
const NOT_FOR_CHILDREN = /^(AERIE_|PGPASSWORD$)/

export function startChild<In extends object, Out>(
  options: ChildOptions<In, Out>,
  startSlots: StartSlots = machineSlots,
): Child<In> {
  const { name, entry, clock, log, restart, stopAfterMs = 3_000 } = options
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let crashesInARow = 0
  let isRelaunching = false
  let isGone: Promise<void> = Promise.resolve()

  function start(): void {
    if (!options.startTurn) return launch(() => {})
    const waitingSinceMs = clock.steady()
    void startSlots.take(options.startTurn, stopping.signal).then((leaveSlot) => {
      if (!leaveSlot) return
      if (stopping.signal.aborted) return leaveSlot()
      const waitedMs = Math.round(clock.steady() - waitingSinceMs)
      if (waitedMs > LONG_WAIT_MS)
        log.warn({ child: name, ...options.startTurn, waitedMs }, 'a child process waited long for its start')
      launch(leaveSlot)
    })
  }

  /** `onStarted` is called when it listens, or is gone. */
  function launch(onStarted: () => void): void {
    const startedAt = clock.now()
    const started = forkOrLog()
    if (!started) {
      onStarted()
      // Whoever called us is still about to take what we return, and may need it when it hears of the exit.
      return queueMicrotask(() => onExit({ code: null, signal: null, afterMs: 0 }))
    }
    child = started
    if (options.isForOne) goBehind(started)
    started.on('message', (message) => {
      onStarted()
      if (message !== READY) options.onMessage(message as Out)
    })
    let isOverMemory = false
    const memory = watch(started, () => {
      isOverMemory = true
      started.kill('SIGKILL')
    })
    // The channel may close between our look and our word; the exit tells the rest.
    started.on('error', (error) => log.warn({ err: error, child: name }, 'child process'))
    isGone = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        onStarted()
        if (child !== started) return
        child = undefined
        memory?.stop()
        resolve()
        onExit({ code, signal, afterMs: clock.now() - startedAt, ...(isOverMemory && { isOverMemory }) })
      }
      started.once('exit', end)
      // A process that could not even be made (no memory, no handles) never exits.
      started.once('error', () => started.pid === undefined && end(null, null))
    })
    options.onStart((message) => send(started, message))
  }

  /** Some failures (no memory, an environment too large) are thrown, others are events of what is returned. */
  function forkOrLog(): ChildProcess | undefined {
    try {
      return fork(entry, [], {
        serialization: 'advanced',
        execArgv: ['--enable-source-maps'],
        // Reads of live streams each hold a thread of the pool; with the default of four, files would wait for cameras.
        env: { ...withoutSettings(process.env), UV_THREADPOOL_SIZE: '32' },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
    } catch (error) {
      log.warn({ err: error, child: name }, 'child process')
      return undefined
    }
  }

  function watch({ pid }: ChildProcess, onExceeded: () => void): MemoryWatch | undefined {
    const { maxMemoryBytes } = options
    return pid === undefined || maxMemoryBytes === undefined ? undefined : watchMemory(pid, maxMemoryBytes, onExceeded)
  }

  function onExit(exit: Exit): void {
    if (stopping.signal.aborted) return options.onExit?.(exit, 'stopped')
    if (isRelaunching) {
      isRelaunching = false
      options.onExit?.(exit, 'relaunch')
      return start()
    }
    crashesInARow = crashesSoFar(exit, crashesInARow)
    const verdict = restart(exit, crashesInARow)
    crashesInARow += 1
    log.warn({ child: name, ...exit, verdict }, 'child process ended')
    options.onExit?.(exit, verdict.do)
    if (verdict.do === 'restart') void startLater(verdict.inMs)
  }

  async function startLater(inMs: number): Promise<void> {
    if (inMs > 0) await clock.sleep(inMs, stopping.signal)
    if (!stopping.signal.aborted) start()
  }

  /** Asks it to go, and kills it if it does not. */
  async function leave(): Promise<void> {
    const current = child
    if (!current) return
    const gone = isGone
    if (current.connected) current.disconnect()
    const timer = setTimeout(() => current.kill('SIGKILL'), stopAfterMs)
    await gone
    clearTimeout(timer)
  }

  start()
  return {
    send: (message) => void (child && send(child, message)),
    get pid() {
      return child?.pid
    },
    kill: () => void child?.kill('SIGKILL'),
    async relaunch() {
      // One that is not there is about to be started, or given up.
      if (!child || stopping.signal.aborted) return
      isRelaunching = true
      await leave()
    },
    stop() {
      stopping.abort()
      return leave()
    },
  }
}

function send(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => {})
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_CHILDREN.test(name)))
}
