import { type Clock } from '../core/clock.ts'
import { type ReceivedTelemetry } from '../core/received-telemetry.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { type Process } from './process.ts'
import { toTelemetryMessage } from './telemetry-message.ts'

export interface TelemetryFeedDeps {
  readonly channel: Pick<DetectionChannel, 'onTelemetry' | 'onListen' | 'isWanted'>
  readonly listProcesses: () => readonly Pick<Process, 'id'>[]
  readonly telemetry: {
    /** Null before the first message, and without telemetry. */
    latestOf(processId: string): ReceivedTelemetry | null
  }
  readonly clock: Pick<Clock, 'sleep'>
}

/** Sends the clients of processes that asked for it where the camera is: drones say it up to sixty times a second, pages show it twice. */
export interface TelemetryFeed {
  /** Looks at all that have such clients, until it is closed. */
  start(): void
  close(): void
}

const LOOK_EVERY_MS = 500

export function createTelemetryFeed({ channel, listProcesses, telemetry, clock }: TelemetryFeedDeps): TelemetryFeed {
  const closing = new AbortController()
  const { signal } = closing

  function look({ id }: Pick<Process, 'id'>): void {
    if (!channel.isWanted(id, 'telemetry')) return
    const latest = telemetry.latestOf(id)
    if (latest) channel.onTelemetry(toTelemetryMessage(id, latest), latest.number)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      listProcesses().forEach(look)
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  // Who comes is sent the last one at once.
  channel.onListen((processId) =>
    listProcesses()
      .filter(({ id }) => id === processId)
      .forEach(look),
  )
  return { start: () => void run(), close: () => closing.abort() }
}
