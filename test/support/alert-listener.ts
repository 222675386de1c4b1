import { type MqttClient, connectAsync } from 'mqtt'
import { until } from './until.ts'

export interface Notification {
  readonly alert_uuid: string
  readonly alias: string
  readonly type: 'grid-density' | 'flow-control' | 'follow-track' | 'filter-search'
  readonly event: string
  readonly process_uuid: string
  readonly source_uuid: string
  readonly timestamp: string
  readonly sequence: number
  // Each type and event has its own.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any
}

/** Hears everything below a topic, in the order in which it comes. */
export interface AlertListener {
  readonly heard: readonly Notification[]
  of(alertId: string): Notification[]
  /** Resolves with what one alert said first that satisfies. */
  first(alertId: string, isWanted: (notification: Notification) => boolean, withinMs?: number): Promise<Notification>
  close(): Promise<void>
}

/** Its session outlives the broker, where that keeps sessions: what comes while it is away waits for it. */
export async function listenToAlerts(port: number, topic: string): Promise<AlertListener> {
  const heard: Notification[] = []
  const client: MqttClient = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: 'listener',
    clean: false,
    reconnectPeriod: 200,
  })
  client.on('error', () => {})
  client.on('message', (_topic, payload) => void heard.push(JSON.parse(payload.toString()) as Notification))
  await client.subscribeAsync(topic, { qos: 1 })

  const of = (alertId: string) => heard.filter(({ alert_uuid: id }) => id === alertId)
  return {
    heard,
    of,
    async first(alertId, isWanted, withinMs = 30_000) {
      await until(async () => of(alertId).some(isWanted), withinMs)
      return of(alertId).find(isWanted)!
    },
    close: () => client.endAsync(true),
  }
}
