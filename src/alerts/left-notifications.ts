import { type Clock } from '../core/clock.ts'
import { type Delivery, UnacceptableError } from '../core/delivery.ts'
import { type Log } from '../observe/log.ts'
import { type AlertStore } from './alerts.store.ts'
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
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Makes messages of what an alert had found at a process that another node has gone on with; whoever has the process sends them. */
export function createLeftNotifications({ store, delivery, sequences, sources, clock, log }: LeftNotificationsDeps) {
  async function leave({ alertId, progress, lastNumber }: LeftProgress): Promise<void> {
    const { process, inFlight, unfinished } = progress
    const routing = createNotificationRouting(alertId, process, sequences)
    const sourceAlias = (await sources.find(process.accountId, process.sourceId))?.alias ?? null
    const left = (unfinished?.events ?? []).map((event, index) => ({
      ...unfinished!,
      event,
      sequence: lastNumber + index + 1,
    }))
    for (const { alert, event, seenAt, sequence } of [...inFlight, ...left]) {
      await routing.register(alert)
      const body = toNotification(alert, { ...process, sourceAlias }, event, seenAt, sequence)
      for (const message of routing.messagesOf(alert, { sequence, body, createdAtMs: clock.now() }))
        await delivery.leave(message).catch((error: unknown) => {
          if (!(error instanceof UnacceptableError)) throw error
          log.error({ err: error, alert_uuid: alertId, process_uuid: process.processId }, 'a notification cannot be delivered') // prettier-ignore
        })
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
