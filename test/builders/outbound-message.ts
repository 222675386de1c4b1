import { type OutboundMessage } from '../../src/core/outbound-message.ts'

export function anOutboundMessage(id: string, change: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    id,
    channel: 'a',
    accountId: 'account',
    processId: null,
    destination: { kind: 'webhook', url: 'http://127.0.0.1/' },
    body: '{}',
    createdAtMs: 0,
    ...change,
  }
}
