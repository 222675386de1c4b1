import { type MessageChannel } from '../core/message-channel.ts'
import { type AlertType, kinds, typeOf } from './analyses/kinds.ts'
import { notificationSchemas } from './notification.schema.ts'

const messages = kinds.map((kind) => ({
  name: toMessageName(typeOf(kind)),
  summary: kind.summary,
  payload: notificationSchemas[typeOf(kind)],
}))

/** `grid-density` is `gridDensity`: names of messages are letters and digits. */
function toMessageName(type: AlertType): string {
  return type.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

const headers = {
  'webhook-id': 'The same however often the notification is sent.',
  'webhook-timestamp': 'Seconds since 1970 of this attempt.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64; with the secret of the output.',
  authorization: 'Basic, with credentials in the url.',
}

export const alertChannels: readonly MessageChannel[] = [
  {
    name: 'alertTopic',
    protocol: 'mqtt',
    address: '{topic}',
    title: 'Alerts to a broker',
    description: 'At least once and in order, unless the output asks for QoS 0; they wait while the broker is away.',
    parameters: { topic: 'As given in the alert’s output.' },
    action: 'send',
    messages,
  },
  {
    name: 'alertWebhook',
    protocol: 'webhook',
    address: '{url}',
    title: 'Alerts to a webhook',
    description: 'At least once and in order, signed with the secret that the output was registered with.',
    parameters: { url: 'As given in the alert’s output.' },
    action: 'send',
    messages: messages.map((message) => ({ ...message, name: `${message.name}Post`, headers })),
  },
]
