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
  {
    name: 'natsAlerts',
    protocol: 'nats',
    address: 'aerie.v1.notification.{account}.{process_uuid}.{type}',
    title: 'Alerts over NATS',
    description:
      'While AERIE_NATS_PUBLISH has notifications: once for each notification, whatever the outputs of its alert, when it is on disk for these. At most once, but for a crash, after which one may come again with the same sequence.',
    parameters: {
      account: 'The username that the key belongs to.',
      process_uuid: 'As answered by POST /start.',
      type: `${kinds.map((kind) => `\`${typeOf(kind)}\``).join(', ')}, as in the notification.`,
    },
    action: 'send',
    messages,
  },
]
