import { type LivePublisher } from '../core/live-publishing.ts'
import { type MinutesLow } from '../core/minutes.ts'
import { type Scene } from '../core/scene.ts'
import { toDetectionMessage } from './detection-message.ts'
import { type AlertMessage } from './alert-message.ts'
import { type Process } from './process.ts'
import { type StatusMessage } from './status-message.ts'
import { type TelemetryMessage } from './telemetry-message.ts'

/** A subscriber to one process. */
export interface DetectionClient {
  /** A message as JSON; the same text goes to everyone. */
  take(message: string, sequence: number): void
  /** Its key has less than a day of minutes left; said again and again. */
  minutesLow?(low: MinutesLow): void
  /** How it goes with the process: when the client comes, and when that changes; with the cause of its problem. */
  status?(status: StatusMessage, cause: string | null): void
  /** What alerts notify of; sent to those that have this. */
  alert?(alert: AlertMessage): void
  /** Where its camera is, twice a second at most, and once when the client comes; sent to those that have this. */
  telemetry?(telemetry: TelemetryMessage, number: number): void
  /** The process has ended: nothing more comes. */
  end(process: Pick<Process, 'id' | 'state'>): void
  /** The process goes on elsewhere: who connects again gets there. */
  moved(): void
}

/** What the processes see, for their clients, and published where that is wanted. Costs nothing while nobody is to have it. */
/** What is sent only to clients that take it. */
export type EventExtra = 'alert' | 'telemetry'

export interface DetectionChannel {
  onScene(process: Process, scene: Scene): void
  /** A message of a process on another node. */
  onMessageElsewhere(processId: string, message: string, sequence: number): void
  onMinutesLow(low: MinutesLow): void
  /** Passed to each client that has not heard of this state and this cause; the cause is of its problem, null without one. */
  onStatus(status: StatusMessage, cause: string | null): void
  onAlert(alert: AlertMessage): void
  /** Passed to each client that has not been sent the message of this number. */
  onTelemetry(telemetry: TelemetryMessage, number: number): void
  onEnd(process: Pick<Process, 'id' | 'state'>): void
  onMoved(processId: string): void
  /** Returns the function that ends the listening. */
  listen(processId: string, client: DetectionClient): () => void
  countClients(processId: string): number
  /** Whether any of its clients takes it. */
  isWanted(processId: string, extra: EventExtra): boolean
  /** Processes that have clients. */
  listSubscribed(): string[]
  /** Processes of which anything is kept. */
  countAudiences(): number
  /** Calls with the process of each client that comes. */
  onListen(handler: (processId: string) => void): void
}

interface Audience {
  sequence: number
  /** With what each was sent last. */
  readonly clients: Map<DetectionClient, LastSent>
}

interface LastSent {
  status?: string
  /** Its number. */
  telemetry?: number
}

export function createDetectionChannel({ publishScene }: Pick<LivePublisher, 'publishScene'> = {}): DetectionChannel {
  const audiences = new Map<string, Audience>()
  const listenHandlers: ((processId: string) => void)[] = []

  function audienceOf(processId: string): Audience {
    const audience = audiences.get(processId) ?? { sequence: 0, clients: new Map() }
    audiences.set(processId, audience)
    return audience
  }

  return {
    onScene(process, scene) {
      const audience = audienceOf(process.id)
      audience.sequence += 1
      if (audience.clients.size === 0 && !publishScene) return
      const message = JSON.stringify(toDetectionMessage(process, scene, audience.sequence))
      publishScene?.({ processId: process.id, accountId: process.accountId }, message)
      for (const client of audience.clients.keys()) client.take(message, audience.sequence)
    },
    onMessageElsewhere(processId, message, sequence) {
      for (const client of audiences.get(processId)?.clients.keys() ?? []) client.take(message, sequence)
    },
    onMinutesLow(low) {
      for (const processId of low.processIds)
        for (const client of audiences.get(processId)?.clients.keys() ?? []) client.minutesLow?.(low)
    },
    onStatus(status, cause) {
      const clients = audiences.get(status.process_uuid)?.clients
      const news = JSON.stringify([status.state, cause])
      for (const [client, last] of clients ?? []) {
        if (last.status === news) continue
        last.status = news
        client.status?.(status, cause)
      }
    },
    onAlert(alert) {
      for (const client of audiences.get(alert.process_uuid)?.clients.keys() ?? []) client.alert?.(alert)
    },
    onTelemetry(telemetry, number) {
      for (const [client, last] of audiences.get(telemetry.process_uuid)?.clients ?? []) {
        if (!client.telemetry || last.telemetry === number) continue
        last.telemetry = number
        client.telemetry(telemetry, number)
      }
    },
    onEnd(process) {
      const audience = audiences.get(process.id)
      audiences.delete(process.id)
      for (const client of audience?.clients.keys() ?? []) client.end(process)
    },
    onMoved(processId) {
      const audience = audiences.get(processId)
      audiences.delete(processId)
      for (const client of audience?.clients.keys() ?? []) client.moved()
    },
    listen(processId, client) {
      const audience = audienceOf(processId)
      audience.clients.set(client, {})
      for (const handler of listenHandlers) handler(processId)
      return () => {
        audience.clients.delete(client)
        // That of a process which had ended before is removed by no further end; nothing was counted in it.
        const isUnused = audience.clients.size === 0 && audience.sequence === 0
        if (isUnused && audiences.get(processId) === audience) audiences.delete(processId)
      }
    },
    countAudiences: () => audiences.size,
    countClients: (processId) => audiences.get(processId)?.clients.size ?? 0,
    isWanted: (processId, extra) =>
      [...(audiences.get(processId)?.clients.keys() ?? [])].some((client) => client[extra] !== undefined),
    listSubscribed: () => [...audiences].flatMap(([processId, { clients }]) => (clients.size > 0 ? [processId] : [])),
    onListen: (handler) => void listenHandlers.push(handler),
  }
}
