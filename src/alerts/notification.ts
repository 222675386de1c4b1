import { toZulu } from '../core/clock.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type AlertEvent, type SeenAt } from './analyses/analysis.ts'
import { type Alert } from './alert.ts'

/** A notification as it goes over the wire; `notification.schema.ts` documents it. */
export function toNotification(
  alert: Pick<Alert, 'id' | 'alias' | 'setup'>,
  process: ProcessRef & { readonly sourceAlias: string | null },
  { event, data, seenAt: ownSeenAt, earlier }: AlertEvent,
  seenAt: SeenAt,
  sequence: number,
): string {
  return JSON.stringify({
    alert_uuid: alert.id,
    alias: alert.alias,
    type: alert.setup.type,
    event,
    process_uuid: process.processId,
    source_uuid: process.sourceId,
    source_alias: process.sourceAlias,
    ...toTimes(ownSeenAt ?? seenAt),
    sequence,
    data,
    ...(earlier && { earlier: earlier.map((one) => ({ event: one.event, ...toTimes(one.seenAt), data: one.data })) }),
  })
}

function toTimes({ takenAtMs, detectedAtMs }: SeenAt) {
  return { timestamp: toZulu(takenAtMs), ...(detectedAtMs !== undefined && { detected_at: toZulu(detectedAtMs) }) }
}
