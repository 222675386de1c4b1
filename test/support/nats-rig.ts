import { createLog, type Log } from '../../src/observe/log.ts'
import { createNatsServer, type NatsServer } from './nats.ts'

/** For tests of connections to real NATS servers, which have to be ended in order, and of what is logged of them. */
export interface NatsRig {
  /** What was logged. */
  readonly lines: Record<string, unknown>[]
  readonly log: Log
  /** `settings` are lines of its configuration file. */
  startServer(settings?: readonly string[]): Promise<NatsServer>
  /** Ended before what was added earlier. */
  onEnd(end: () => unknown): void
  end(): Promise<void>
}

export function createNatsRig(): NatsRig {
  const ends: (() => unknown)[] = []
  const lines: Record<string, unknown>[] = []
  return {
    lines,
    log: createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) }),
    async startServer(settings) {
      const server = await createNatsServer(settings)
      ends.push(() => server.remove())
      return server
    },
    onEnd: (end) => void ends.push(end),
    async end() {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}
