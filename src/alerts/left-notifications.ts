import { type Clock } from '../core/clock.ts'
import { type Delivery, UnacceptableError } from '../core/delivery.ts'
import { type EventLinks } from '../core/event-links.ts'
import { type Log } from '../observe/log.ts'
import { type AlertStore } from './alerts.store.ts'
import { newEventId } from './event-id.ts'
import { type EventRecord } from './event-record.ts'
import { toNotification } from './notification.ts'
import { createNotificationRouting } from './notification-routing.ts'
import { type Progress } from './progress.ts'
import { type SourceAliases } from './source-aliases.ts'
import { type LeftProgress } from './spooled-progress.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

export interface LeftNotificationsDeps {
  readonly store: Pick<AlertStore, 'find'>
  readonly delivery: Pick<Delivery, 'leave'>
  readonly sequences: Pick<SpooledSequences, 'addChannel'>
  readonly sources: SourceAliases
  readonly record: Pick<EventRecord, 'write' | 'publish'>
  readonly links: Pick<EventLinks, 'urlOf'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Makes messages of what an alert had found at a process that another node has gone on with; whoever has the process sends them. */
export function createLeftNotifications(deps: LeftNotificationsDeps) {
  const { store, delivery, sequences, sources, record, links, clock, log } = deps

  async function leave({ alertId, progress, lastNumber }: LeftProgress): Promise<void> {
    const { process, inFlight, unfinished } = progress
    const routing = createNotificationRouting(alertId, process, sequences)
    const source = await sources.find(process.accountId, process.sourceId)
    const left = (unfinished?.events ?? []).map((event, index) => ({
      ...unfinished!,
      event,
      eventId: newEventId(event),
      sequence: lastNumber + index + 1,
    }))
    for (const item of [...inFlight, ...left]) {
      const { alert, sequence } = item
      await routing.register(alert)
      await record.write(process, [{ ...item, unfinished: null }])
      const body = toNotification(item, { process, source, links })
      for (const message of routing.messagesOf(alert, { sequence, body, createdAtMs: clock.now() }))
        await delivery.leave(message).catch((error: unknown) => {
          if (!(error instanceof UnacceptableError)) throw error
          log.error({ err: error, alert_uuid: alertId, process_uuid: process.processId }, 'a notification cannot be delivered') // prettier-ignore
        })
      record.publish(process, [{ ...item, unfinished: null }])
    }
  }

  return async (left: LeftProgress): Promise<void> => {
    if (!(await isRemoved(left.alertId, left.progress, store))) await leave(left)
  }
}

/** Of an alert that was removed, with its key, nothing is sent; one-off alerts are in no table. */
export async function isRemoved(
  alertId: string,
  { process, inFlight, unfinished }: Progress,
  store: Pick<AlertStore, 'find'>,
): Promise<boolean> {
  const alert = unfinished?.alert ?? inFlight[0]?.alert
  return alert?.processId === null && !(await store.find(process.accountId, alertId))
}
