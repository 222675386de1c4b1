import { toZulu } from '../core/clock.ts'
import { type EventLinks } from '../core/event-links.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type SeenAt } from './analyses/analysis.ts'
import { toEventLinks } from './event-link-fields.ts'
import { type NumberedEvent } from './progress.ts'
import { type NotifiedSource } from './source-aliases.ts'

/** What a notification says beside its event. */
export interface NotificationContext {
  readonly process: ProcessRef
  /** Undefined for one that was removed. */
  readonly source: NotifiedSource | undefined
  readonly links: Pick<EventLinks, 'urlOf'>
}

/** A notification as it goes over the wire; `notification.schema.ts` documents it. */
export function toNotification(
  { alert, event: { event, data, seenAt: ownSeenAt, earlier }, eventId, seenAt, sequence }: NumberedEvent,
  { process, source, links }: NotificationContext,
): string {
  return JSON.stringify({
    alert_uuid: alert.id,
    alias: alert.alias,
    type: alert.setup.type,
    event,
    process_uuid: process.processId,
    source_uuid: process.sourceId,
    source_alias: source?.alias ?? null,
    ...toTimes(ownSeenAt ?? seenAt),
    sequence,
    event_uuid: eventId,
    ...toEventLinks(links, { eventId, mayHavePicture: true, isOfStream: source?.type === 'stream' }),
    data,
    ...(earlier && { earlier: earlier.map((one) => ({ event: one.event, ...toTimes(one.seenAt), data: one.data })) }),
  })
}

function toTimes({ takenAtMs, detectedAtMs }: SeenAt) {
  return { timestamp: toZulu(takenAtMs), ...(detectedAtMs !== undefined && { detected_at: toZulu(detectedAtMs) }) }
}
