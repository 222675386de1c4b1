import { type Clock } from '../core/clock.ts'
import { isWorthKeeping, type Progress } from './progress.ts'

/** Writes down how far one alert at one process has come, the newest last. */
export interface ProgressKeeper {
  /** Resolves when it is on disk; throws when it could not be written. */
  write(progress: Progress): Promise<void>
  /** Within half a second; what comes meanwhile takes its place. */
  writeSoon(progress: Progress): void
  /** What was to be written soon is written now, or given up. */
  flush(): Promise<void>
  /** Nothing more is written once this has resolved. */
  discard(): Promise<void>
}

export interface ProgressKeeperDeps {
  readonly save: (progress: Progress | null) => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

const SAVE_EVERY_MS = 500

export function createProgressKeeper({ save, clock, onError }: ProgressKeeperDeps): ProgressKeeper {
  let last: Promise<unknown> = Promise.resolve()
  let waiting: Progress | undefined
  let timer: AbortController | undefined

  function write(progress: Progress): Promise<void> {
    waiting = undefined
    const written = last.then(() => save(isWorthKeeping(progress) ? progress : null))
    last = written.catch(() => {})
    return written
  }

  /** What fails waits on, unless something newer came meanwhile. */
  async function writeWaiting(): Promise<void> {
    const progress = waiting
    if (!progress) return
    await write(progress).catch((error: unknown) => {
      onError(error)
      waiting ??= progress
    })
  }

  async function wait({ signal }: AbortController): Promise<void> {
    while (waiting && !signal.aborted) {
      await clock.sleep(SAVE_EVERY_MS, signal)
      if (!signal.aborted) await writeWaiting()
    }
    if (!signal.aborted) timer = undefined
  }

  function stopWaiting(): void {
    timer?.abort()
    timer = undefined
  }

  return {
    write,
    writeSoon(progress) {
      waiting = progress
      if (timer) return
      timer = new AbortController()
      void wait(timer)
    },
    async flush() {
      stopWaiting()
      await writeWaiting()
      await last
    },
    async discard() {
      stopWaiting()
      waiting = undefined
      await last
    },
  }
}
