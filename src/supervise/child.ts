import { type Clock } from '../core/clock.ts'
import { once } from '../core/once.ts'
import { type Log } from '../observe/log.ts'
import { type ChildRun, FAR_BEHIND, startChildRun } from './child-run.ts'
import { crashesSoFar, type Exit, type RestartPolicy } from './restart-policy.ts'
import { noteRunning } from './running-children.ts'
import { createStartSlots, type StartSlots, type StartTurn } from './start-slots.ts'

/**
 * A child process that is kept alive as its policy says. Children leave by themselves when the channel to us
 * closes (see `child-entry.ts`), also when we are killed; `orphans.ts` is for those that can not.
 */
export interface Child<In> {
  /** Nothing happens while the child is not running; `onStart` sends what it needs when it runs again. */
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
  /** The kind of work that it does. */
  readonly name: string
  /** What it works for: the id of a process, or the path of a stream; left out for one that works for all. */
  readonly subject?: string
  /** The file that the child runs. */
  readonly entry: URL
  readonly clock: Clock
  readonly log: Log
  readonly restart: RestartPolicy
  /** The child runs: send it what to do. Called again after every restart. */
  onStart(send: (message: In) => void): void
  /** `reply` reaches the process that sent it, and none that was started after it. */
  onMessage(message: Out, reply: (message: In) => void): void
  /** It ended, and `verdict` is what happens next. */
  onExit?(exit: Exit, verdict: 'restart' | 'give-up' | 'stopped' | 'relaunch'): void
  readonly stopAfterMs?: number
  /** It works for one stream or file: those that serve everybody go before it where there are too few cores. */
  readonly isForOne?: boolean
  /** It can wait: all others go before it, also those that work for one. */
  readonly isInBackground?: boolean
  /**
   * For one that works for one: its start ends with this message. Until then it has our own priority, since on a full machine those that
   * work already would leave it hardly anything. Left out, it goes behind at once.
   */
  readonly isAtWork?: (message: Out) => boolean
  /** It waits for its turn while others are starting; where this is missing it starts at once. */
  readonly startTurn?: StartTurn
  /** Beyond it the child is killed. */
  readonly maxMemoryBytes?: number
  /** A child that sends nothing for longer, and does nothing either, is killed. */
  readonly maxSilenceMs?: number
}

const DEFAULT_MAX_SILENCE_MS = 3_000

/** Of the whole machine. */
const machineSlots = createStartSlots()

/** Of a start, which usually takes one second: beyond it the machine is too small for what is asked of it. */
const LONG_WAIT_MS = 5_000

export function startChild<In extends object, Out>(
  options: ChildOptions<In, Out>,
  startSlots: StartSlots = machineSlots,
): Child<In> {
  const { name, subject, clock, log, restart, stopAfterMs = 3_000 } = options
  const child = { child: name, ...(subject !== undefined && { subject }) }
  const stopping = new AbortController()
  let run: ChildRun | undefined
  let forget = () => {}
  let crashesInARow = 0
  let isRelaunching = false

  function start(): void {
    if (!options.startTurn) return launch(() => {})
    const waitingSinceMs = clock.steady()
    void startSlots.take(options.startTurn, stopping.signal).then((leaveSlot) => {
      if (!leaveSlot) return
      if (stopping.signal.aborted) return leaveSlot()
      const waitedMs = Math.round(clock.steady() - waitingSinceMs)
      if (waitedMs > LONG_WAIT_MS)
        log.warn({ ...child, ...options.startTurn, waitedMs }, 'a child process waited long for its start')
      launch(leaveSlot)
    })
  }

  function launch(onStarted: () => void): void {
    let started: ChildRun
    try {
      started = startChildRun({
        entry: options.entry,
        maxMemoryBytes: options.maxMemoryBytes,
        maxSilenceMs: options.maxSilenceMs ?? DEFAULT_MAX_SILENCE_MS,
        clock,
        onStarted,
        onMessage(message) {
          if (options.isForOne && options.isAtWork?.(message as Out)) goBehind()
          options.onMessage(message as Out, (answer) => started.send(answer))
        },
        onError: warn,
        onExit,
      })
    } catch (error) {
      warn(error)
      onStarted()
      // Our caller has not yet got what we return, and may need it when it is notified of the exit.
      return queueMicrotask(() => onExit({ code: null, signal: null, afterMs: 0 }))
    }
    const goBehind = once(() => started.lowerPriority())
    if (options.isForOne && !options.isAtWork) goBehind()
    if (options.isInBackground) started.lowerPriority(FAR_BEHIND)
    run = started
    if (run.pid !== undefined)
      forget = noteRunning({ name, subject, pid: run.pid, loopDelayMs: () => started.loopDelayMs })
    options.onStart((message) => started.send(message))
  }

  function warn(error: unknown): void {
    log.warn({ err: error, ...child }, 'a child process could not be started or spoken to')
  }

  function onExit(exit: Exit): void {
    run = undefined
    forget()
    if (stopping.signal.aborted) return options.onExit?.(exit, 'stopped')
    if (isRelaunching) {
      isRelaunching = false
      options.onExit?.(exit, 'relaunch')
      return start()
    }
    crashesInARow = crashesSoFar(exit, crashesInARow)
    const verdict = restart(exit, crashesInARow)
    crashesInARow += 1
    if (verdict.do === 'restart')
      log.warn({ ...child, ...exit, restart_in_ms: verdict.inMs }, 'a child process ended; it is started again')
    else log.warn({ ...child, ...exit }, 'a child process ended; it is not started again')
    options.onExit?.(exit, verdict.do)
    if (verdict.do === 'restart') void startLater(verdict.inMs)
  }

  async function startLater(inMs: number): Promise<void> {
    if (inMs > 0) await clock.sleep(inMs, stopping.signal)
    if (!stopping.signal.aborted) start()
  }

  start()
  return {
    send: (message) => run?.send(message),
    get pid() {
      return run?.pid
    },
    kill: () => run?.kill(),
    async relaunch() {
      // One that does not run is about to be started, or given up.
      if (!run || stopping.signal.aborted) return
      isRelaunching = true
      await run.stop(stopAfterMs)
    },
    async stop() {
      stopping.abort()
      await run?.stop(stopAfterMs)
    },
  }
}
