import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { createFairQueue } from '../core/fair-queue.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type FromProber, type ProbeReport, type ProbeRequest, type ToProber } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { startChild } from '../supervise/child.ts'
import { type Exit, neverRestart } from '../supervise/restart-policy.ts'

export type LookRequest = Omit<ProbeRequest, 'maxPicture'>

/**
 * Looks at a file or a stream for an account, in a process of its own; rejects with a sentence when it can't be read, and with an
 * `AppError` when too many wait already, or when that process was killed.
 */
export type Probe = (owner: string, request: LookRequest) => Promise<ProbeReport>

const entry = new URL('../media/probe/worker.js', import.meta.url)
const RETRY_AFTER_SECONDS = 10
const MIN_MEMORY_BYTES = 2 ** 30
/** A decoder holds up to sixteen pictures, of one and a half bytes a pixel. */
const MEMORY_BYTES_PER_PIXEL = 24

export interface ProberOptions {
  readonly clock: Clock
  readonly log: Log
  readonly maxPicture: PictureLimit
}

export function createProber({ clock, log, maxPicture }: ProberOptions): Probe {
  const queue = createFairQueue({
    clock,
    maxRunning: 2,
    maxWaiting: 32,
    maxWaitingPerOwner: 4,
    maxWaitMs: 30_000,
    refusal: proberBusy,
  })
  const maxMemoryBytes = Math.max(MIN_MEMORY_BYTES, MEMORY_BYTES_PER_PIXEL * maxPicture.width * maxPicture.height)

  const tooMuchMemory = () =>
    new Error(
      `It takes more than the ${Math.round(maxMemoryBytes / 2 ** 20)} MB of memory that are given to a look at it.`,
    )

  return (owner, request) => queue.run(owner, () => probeOnce(request))

  function probeOnce(request: LookRequest): Promise<ProbeReport> {
    return new Promise((resolve, reject) => {
      // A decoder that hangs is not reasoned with: its process is killed.
      const deadline = setTimeout(
        () => finish(() => reject(new Error('It took too long to answer.'))),
        request.timeoutMs + request.watchMs + 10_000,
      )
      const child = startChild<ToProber, FromProber>({
        name: 'prober',
        isForOne: true,
        entry,
        clock,
        log,
        restart: neverRestart,
        maxMemoryBytes,
        stopAfterMs: 500,
        onStart: (send) => send({ ...request, maxPicture }),
        onMessage(message) {
          if (message.type === 'report') return finish(() => resolve(message.report))
          if (message.ffmpegMessage !== undefined)
            log.info({ ffmpeg: message.ffmpegMessage }, 'a source could not be looked at')
          finish(() => reject(new Error(message.sentence)))
        },
        onExit: (exit) => finish(() => reject(exit.isOverMemory ? tooMuchMemory() : toExitError(exit))),
      })
      function finish(settle: () => void): void {
        clearTimeout(deadline)
        settle()
        void child.stop()
      }
    })
  }
}

/** A crash is the file's doing; a prober that was killed, as by a kernel without memory, or never started says nothing about it. */
export function toExitError({ code, signal }: Pick<Exit, 'code' | 'signal'>): Error {
  const isCrash = signal === null ? code !== null : CRASHES.includes(signal)
  return isCrash ? new Error('It cannot be decoded: the decoder crashed on it.') : new AppError('prober-killed')
}

const CRASHES: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']

function proberBusy(): AppError {
  return new AppError(
    'prober-busy',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
