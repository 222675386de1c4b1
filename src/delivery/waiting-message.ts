import { type Destination, type OutboundMessage } from '../core/outbound-message.ts'
import { type DeliveryRow } from '../storage/schema.ts'

/** A message as it waits. */
export interface WaitingMessage extends OutboundMessage {
  readonly position: number
  readonly attempts: number
  readonly sizeBytes: number
  readonly expiresAtMs: number
}

/** Where a message was written. No two are ever written at the same position, so that identifies the write. */
export type Place = Pick<WaitingMessage, 'id' | 'position'>

/** A message that waits no more, whatever became of it. */
export type Settled = Pick<WaitingMessage, 'id' | 'sizeBytes'>

/** What nobody will send any more needs neither its text nor the secrets that went with it. */
export const WITHOUT_CONTENT = { body: '', destination: '' } as const

export function toWaiting(row: DeliveryRow): WaitingMessage {
  return {
    id: row.id,
    position: row.position,
    channel: row.channel,
    accountId: row.account_id,
    processId: row.process_id,
    destination: JSON.parse(row.destination) as Destination,
    body: row.body,
    sizeBytes: row.size_bytes,
    attempts: row.attempts,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    spacingMs: row.spacing_ms,
  }
}

export function toRow(message: WaitingMessage): DeliveryRow {
  return {
    id: message.id,
    position: message.position,
    channel: message.channel,
    account_id: message.accountId,
    destination: JSON.stringify(message.destination),
    body: message.body,
    size_bytes: message.sizeBytes,
    state: 'waiting',
    attempts: message.attempts,
    error: null,
    created_at: message.createdAtMs,
    expires_at: message.expiresAtMs,
    settled_at: null,
    spacing_ms: message.spacingMs ?? 0,
    attempted_at: null,
    last_status: null,
    took_ms: null,
    process_id: message.processId,
  }
}
