import { type MessageChannel } from '../core/message-channel.ts'
import { notificationSchemas } from './notification.schema.ts'

const messages = [
  { name: 'gridDensity', summary: 'Where many stand', payload: notificationSchemas['grid-density'] },
  { name: 'flowControl', summary: 'Lines that are crossed', payload: notificationSchemas['flow-control'] },
  { name: 'followTrack', summary: 'One track, from moment to moment', payload: notificationSchemas['follow-track'] },
  { name: 'filterSearch', summary: 'A track that was looked for', payload: notificationSchemas['filter-search'] },
]

const headers = {
  'webhook-id': 'The same however often the notification is sent.',
  'webhook-timestamp': 'Seconds since 1970 of this attempt.',
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
    description:
      'At least once and in order. Not signed: put credentials into the url if the receiver must know who calls.',
    parameters: { url: 'As given in the alert’s output.' },
    action: 'send',
    messages: messages.map((message) => ({ ...message, name: `${message.name}Post`, headers })),
  },
]
