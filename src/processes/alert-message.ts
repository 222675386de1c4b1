import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { type NotifiedEvent } from '../core/events.ts'

/** Something that an alert notified of, as it is sent beside what the process sees; `/alert_events` has all of it. */
export const AlertMessage = z.object({
  event_uuid: z.uuid(),
  alert_uuid: z.uuid(),
  alias: z.string().describe('The alert’s.'),
  type: z.string().describe('The alert’s: `filter-search`, …'),
  event: z.string().describe('As in the notification: `started`, `found`, …'),
  process_uuid: z.uuid(),
  source_uuid: z.uuid(),
  at: z.string().describe('When the frame was taken, UTC.'),
  track_ids: z.array(z.number().int()).describe('Whom it is about; empty where that is nobody alone.'),
})
export type AlertMessage = z.infer<typeof AlertMessage>

export function toAlertMessage(event: NotifiedEvent): AlertMessage {
  return {
    event_uuid: event.eventId,
    alert_uuid: event.alertId,
    alias: event.alias,
    type: event.type,
    event: event.event,
    process_uuid: event.processId,
    source_uuid: event.sourceId,
    at: toZulu(event.atMs),
    track_ids: [...event.trackIds],
  }
}
