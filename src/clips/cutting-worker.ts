import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { MAX_CUTTING_WORKER_BYTES } from '../core/worker-memory.ts'
import { type CutOrder, type FromCutter, type ToCutter } from '../cutting/messages.ts'
import { type Log } from '../observe/log.ts'
import { startChild } from '../supervise/child.ts'
import { neverRestart } from '../supervise/restart-policy.ts'

/** How a clip is cut: a process of its own for each. */
export interface CuttingWorker {
  /** Rejects with `CutterDied`, and with the reason of the signal, after which nothing is written any more. */
  cut(order: CutOrder, onProgress: (share: number) => void, signal: AbortSignal): Promise<CutOutcome>
}

export type CutOutcome = Exclude<FromCutter, { readonly type: 'progress' }>

export class CutterDied extends Error {}

const program = new URL('../cutting/worker.js', import.meta.url)
/** A disk that is slow to take a large file makes it silent. */
const MAX_SILENCE_MS = 60_000

export interface CuttingWorkerDeps {
  readonly entry?: URL
  readonly clock: Clock
  readonly log: Log
}

export function createCuttingWorker({ entry = program, clock, log }: CuttingWorkerDeps): CuttingWorker {
  return {
    async cut(order, onProgress, signal) {
      signal.throwIfAborted()
      const outcome = createDeferred<CutOutcome>()
      const child = startChild<ToCutter, FromCutter>({
        name: 'cutting',
        isInBackground: true,
        entry,
        clock,
        log,
        restart: neverRestart,
        maxMemoryBytes: MAX_CUTTING_WORKER_BYTES,
        maxSilenceMs: MAX_SILENCE_MS,
        onStart: (send) => send({ type: 'cut', order }),
        onMessage(message) {
          if (message.type === 'progress') onProgress(message.share)
          else outcome.resolve(message)
        },
        onExit: () => outcome.reject(new CutterDied('The worker that cuts clips ended.')),
      })
      const onAbort = () => {
        outcome.reject(signal.reason as Error)
        child.kill()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        return await outcome.promise
      } finally {
        signal.removeEventListener('abort', onAbort)
        await child.stop()
      }
    },
  }
}
