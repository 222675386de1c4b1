import { type Clock } from '../core/clock.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { type Process } from './process.ts'
import { type HealthOf } from './process-health.ts'
import { toStatusMessage } from './status-message.ts'

export interface StatusFeedDeps {
  readonly channel: Pick<DetectionChannel, 'onStatus' | 'onListen' | 'countClients'>
  readonly listProcesses: () => readonly Process[]
  readonly healthOf: HealthOf
  readonly clock: Pick<Clock, 'sleep'>
}

/** Sends to the clients of processes how it goes with them. What stops without a word is noticed by looking. */
export interface StatusFeed {
  readonly look: (process: Process) => void
  /** Looks at all that have clients, every second, until it is closed. */
  start(): void
  close(): void
}

const LOOK_EVERY_MS = 1_000

export function createStatusFeed({ channel, listProcesses, healthOf, clock }: StatusFeedDeps): StatusFeed {
  const closing = new AbortController()
  const { signal } = closing

  function look(process: Process): void {
    if (channel.countClients(process.id) === 0) return
    const health = healthOf(process)
    channel.onStatus(toStatusMessage(process, health), health.problem?.cause ?? null)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      listProcesses().forEach(look)
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  channel.onListen((processId) =>
    listProcesses()
      .filter(({ id }) => id === processId)
      .forEach(look),
  )
  return { look, start: () => void run(), close: () => closing.abort() }
}
