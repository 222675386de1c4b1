import { type Clock } from '../core/clock.ts'
import { type FromProber, type ProbeReport, type ProbeRequest, type ToProber } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { startChild } from '../supervise/child.ts'
import { neverRestart } from '../supervise/restart-policy.ts'

/** Looks at a file or a stream in a process of its own; rejects with a sentence when it can't be read. */
export type Probe = (request: ProbeRequest) => Promise<ProbeReport>

const entry = new URL('../media/probe/worker.js', import.meta.url)
const MAX_AT_ONCE = 2

export function createProber({ clock, log }: { clock: Clock; log: Log }): Probe {
  let running = 0
  const waiting: (() => void)[] = []

  async function takeTurn(): Promise<void> {
    if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
  }

  function leaveTurn(): void {
    running -= 1
    waiting.shift()?.()
  }

  return async (request) => {
    await takeTurn()
    try {
      return await probeOnce(request)
    } finally {
      leaveTurn()
    }
  }

  function probeOnce(request: ProbeRequest): Promise<ProbeReport> {
    return new Promise((resolve, reject) => {
      // A decoder that hangs is not reasoned with: its process is killed.
      const deadline = setTimeout(
        () => finish(() => reject(new Error('It took too long to answer.'))),
        request.timeoutMs + request.watchMs + 10_000,
      )
      const child = startChild<ToProber, FromProber>({
        name: 'prober',
        entry,
        clock,
        log,
        restart: neverRestart,
        stopAfterMs: 500,
        onStart: (send) => send(request),
        onMessage: (message) =>
          finish(() => (message.type === 'report' ? resolve(message.report) : reject(new Error(message.sentence)))),
        onExit: () => finish(() => reject(new Error('It cannot be decoded: the decoder crashed on it.'))),
      })
      function finish(settle: () => void): void {
        clearTimeout(deadline)
        settle()
        void child.stop()
      }
    })
  }
}
