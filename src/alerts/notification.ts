import { toZulu } from '../core/clock.ts'
import { type Happening } from './analyses/analysis.ts'
import { type Alert } from './alert.ts'

/** Which process is looked at. */
export interface WatchedProcess {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
}

/** The moments of the frame in which it happened. */
export interface SeenAt {
  readonly takenAtMs: number
  /** Not where nothing was seen to happen. */
  readonly detectedAtMs?: number | undefined
}

/** A notification as it goes over the wire; `notification.schema.ts` documents it. */
export function toNotification(
  alert: Pick<Alert, 'id' | 'alias' | 'setup'>,
  process: WatchedProcess,
  { event, data }: Happening,
  { takenAtMs, detectedAtMs }: SeenAt,
  sequence: number,
): string {
  return JSON.stringify({
    alert_uuid: alert.id,
    alias: alert.alias,
    type: alert.setup.type,
    event,
    process_uuid: process.processId,
    source_uuid: process.sourceId,
    timestamp: toZulu(takenAtMs),
    ...(detectedAtMs !== undefined && { detected_at: toZulu(detectedAtMs) }),
    sequence,
    data,
  })
}
