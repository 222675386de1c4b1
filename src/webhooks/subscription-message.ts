import { type OutboundMessage } from '../core/outbound-message.ts'
import { type Gathered, type StoredSubscription } from './progress.ts'
import { channelOf } from './subscription.ts'

export function toMessage(
  subscription: StoredSubscription,
  { id, notification }: Gathered,
  nowMs: number,
): OutboundMessage {
  const { accountId, processId, notificationUrl: url, secret, authUrl, backoffMs } = subscription
  return {
    id,
    channel: channelOf(subscription),
    accountId,
    processId,
    destination: { kind: 'webhook', url, secret, ...(authUrl !== null && { authUrl }) },
    body: JSON.stringify(notification),
    createdAtMs: nowMs,
    spacingMs: backoffMs,
  }
}
