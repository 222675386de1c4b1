import { type Destination, type OutboundMessage } from '../core/outbound-message.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type Alert } from './alert.ts'
import { destinationsOf } from './destinations.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

/** By which channels one alert at one process sends. */
export interface NotificationRouting {
  /** How many messages each of its notifications makes. */
  countOf(alert: Alert): number
  /** A notification as messages to all outputs of the alert as it is set up. */
  messagesOf(alert: Alert, notification: NumberedBody): OutboundMessage[]
  /** Notes its channels on disk, so that all can be dropped one day. */
  register(alert: Alert): Promise<void>
}

export interface NumberedBody extends Pick<OutboundMessage, 'body' | 'createdAtMs'> {
  readonly sequence: number
}

export function createNotificationRouting(
  alertId: string,
  { processId, accountId }: ProcessRef,
  sequences: Pick<SpooledSequences, 'addChannel'>,
): NotificationRouting {
  const registered = new Set<string>()
  /** Hashes are made once for each setup. */
  const known = new WeakMap<Alert['setup'], ReadonlyMap<string, Destination>>()

  function destinationsOfAlert({ setup }: Alert): ReadonlyMap<string, Destination> {
    const destinations = known.get(setup) ?? destinationsOf(alertId, processId, setup.output)
    known.set(setup, destinations)
    return destinations
  }

  return {
    countOf: (alert) => destinationsOfAlert(alert).size,
    messagesOf: (alert, { sequence, ...rest }) =>
      [...destinationsOfAlert(alert)].map(([channel, destination]) => ({
        id: `${channel}:${sequence}`,
        channel,
        accountId,
        processId,
        destination,
        ...rest,
      })),
    async register(alert) {
      for (const channel of destinationsOfAlert(alert).keys()) {
        if (registered.has(channel)) continue
        await sequences.addChannel(channel, alertId, { processId, accountId })
        registered.add(channel)
      }
    },
  }
}
