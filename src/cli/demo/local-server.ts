import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { systemClock } from '../../core/clock.ts'

/** A server of others that runs for as long as this process does, and not longer: `setpriv` has the kernel end it even after a `kill -9`. */
export interface LocalServer {
  /** Resolves when it serves; rejects with a sentence when it ends before, or does not within half a minute. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

export interface LocalServerOptions {
  readonly name: string
  readonly command: readonly string[]
  /** Whether it serves by now. */
  readonly isReady: () => Promise<boolean>
  /** It ended by itself, once it was ready. */
  readonly onCrash: (sentence: string) => void
}

/** NATS ends by it, and PostgreSQL too, without waiting for its clients. */
const STOP_SIGNAL = 'SIGINT'
const START_TIMEOUT_MS = 30_000
const LOOK_EVERY_MS = 100
/** Of what it wrote last, for the sentence about its end. */
const TAIL_LENGTH = 1_000

export function startLocalServer({ name, command, isReady, onCrash }: LocalServerOptions): LocalServer {
  let tail = ''
  let hasEnded = false
  let isExpected = false
  let wasReady = false
  // In a session of its own, so that Ctrl-C in the terminal does not end it before those that need it.
  const child = spawn('setpriv', ['--pdeathsig', STOP_SIGNAL, ...command], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.on('data', (chunk: Buffer) => void (tail = (tail + chunk.toString()).slice(-TAIL_LENGTH)))
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      hasEnded = true
      if (wasReady && !isExpected) onCrash(`${name} has ended by itself (${how}).${lastWords(tail)}`)
      resolve()
    }
    child.once('error', ({ message }) => end(message))
    child.once('exit', (code, signal) => end(howItEnded(code, signal)))
  })

  async function untilReady(): Promise<void> {
    const deadline = systemClock.steady() + START_TIMEOUT_MS
    while (!(await isReady())) {
      if (hasEnded) throw new Error(`${name} did not start.${lastWords(tail)}`)
      if (systemClock.steady() > deadline) throw new Error(`${name} does not answer.${lastWords(tail)}`)
      await systemClock.sleep(LOOK_EVERY_MS)
    }
    wasReady = true
  }

  const ready = untilReady()
  ready.catch(() => {})
  return {
    ready,
    async stop() {
      isExpected = true
      child.kill(STOP_SIGNAL)
      await ended
    },
  }
}

export function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : signal
}

function lastWords(tail: string): string {
  const line = tail.trim().split('\n').at(-1)
  return line ? ` Its last line: ${line}` : ''
}

/** On which nobody listens at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
