import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { type EndState, isLive } from '../core/process-facts.ts'
import { type StopReason } from './process.ts'
import { type ProcessRecord } from './process-record.ts'

/** From the start of a live process to its end; each happens once. */
export interface ProcessLifetime {
  /** Aborted as soon as it begins to end. */
  readonly signal: AbortSignal
  /** Resolves with the first picture; rejects with the answer to a `/start` that came to nothing. */
  readonly started: Promise<void>
  /** Resolves when it has ended, whatever the cause, and that is written down, or will be as soon as it can be. */
  readonly ended: Promise<void>
  /** Resolves when it has ended and that is written down, however long it takes. */
  readonly written: Promise<void>
  /** Resolves when it does not go on here any more: it has ended, or was handed over. */
  readonly gone: Promise<void>
  markStarted(): void
  /** Ends the worker, and charges what was used last. An end that comes earlier waits for it. */
  onRelease(release: () => Promise<void>): void
  /** The first end counts; later ones wait for it. One that was handed over does not end. */
  end(end: ProcessEnd): Promise<void>
  /** The same, but rejects when that could not be written down yet. */
  endWritten(end: ProcessEnd): Promise<void>
  /** The service is closing, the process stays as it is written. */
  leave(): Promise<void>
  /** The same, but it goes on elsewhere: resolves when all of it is written, however long that takes, and nothing is any more. */
  handOver(): Promise<void>
}

export interface ProcessEnd {
  readonly state: EndState
  readonly stopReason: StopReason
  readonly error?: string | null
  /** The answer to a start that still waits, where it need not wait for the end. */
  readonly refusal?: AppError
}

export interface ProcessLifetimeDeps {
  readonly record: Pick<ProcessRecord, 'current' | 'change' | 'flush' | 'writeFailure' | 'seal'>
  readonly clock: Pick<Clock, 'now'>
}

export function createProcessLifetime({ record, clock }: ProcessLifetimeDeps): ProcessLifetime {
  const started = createDeferred()
  const ended = createDeferred()
  const written = createDeferred()
  const gone = createDeferred()
  const ending = new AbortController()
  const releasing = createDeferred<() => Promise<void>>()
  let leaving: Promise<void> | undefined
  // Of a process that is taken up again, nobody waits for the start.
  started.promise.catch(() => {})

  async function release(): Promise<void> {
    const releaseAll = await releasing.promise
    await releaseAll()
  }

  async function endNow({ state, stopReason, error = null, refusal }: ProcessEnd): Promise<void> {
    ending.abort()
    if (refusal) started.reject(refusal)
    if (state === 'stopped') record.change({ state: 'stopping', stopReason })
    await release()
    record.change({ state, stopReason, error, stoppedAt: clock.now() })
    await record.flush()
    started.reject(new AppError('process-not-live', { process_uuid: record.current.id, state }))
    // Where nothing went wrong it is written before anybody hears of its end.
    if (record.writeFailure === undefined) written.resolve()
    ended.resolve()
    gone.resolve()
    while (record.writeFailure !== undefined) await record.flush()
    written.resolve()
  }

  function end(how: ProcessEnd): Promise<void> {
    if (!ending.signal.aborted) void endNow(how)
    return gone.promise
  }

  async function leaveNow(): Promise<void> {
    if (ending.signal.aborted) {
      await ended.promise
      // What could not be written of its end has one more try: the database may be there again.
      return record.flush()
    }
    ending.abort()
    started.reject(new AppError('shutting-down'))
    await release()
    record.change({})
    await record.flush()
  }

  return {
    signal: ending.signal,
    started: started.promise,
    ended: ended.promise,
    written: written.promise,
    gone: gone.promise,
    // Who hears that it runs finds it among those that run.
    markStarted: () => void record.flush().then(() => started.resolve()),
    onRelease: (releaseAll) => releasing.resolve(releaseAll),
    end,
    async endWritten(how) {
      await end(how)
      if (record.writeFailure !== undefined) throw record.writeFailure as Error
      const { id, state } = record.current
      if (isLive(state)) throw new AppError('process-moving', { process_uuid: id }, { retryAfterSeconds: 2 })
    },
    leave: () => (leaving ??= leaveNow()),
    async handOver() {
      await (leaving ??= leaveNow())
      while (record.writeFailure !== undefined) await record.flush()
      record.seal()
      gone.resolve()
    },
  }
}
