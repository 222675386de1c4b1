import { type MessageChannel } from '../core/message-channel.ts'
import {
  MinutesLowNotification,
  NewTracksNotification,
  ProcessStateNotification,
  TargetCountNotification,
} from './webhooks.messages.ts'

const headers = {
  'webhook-id': 'The same however often the notification is sent.',
  'webhook-timestamp': 'Seconds since 1970 of this attempt.',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64.',
  authorization: 'With credentials in notification_url, or a token from auth_url.',
}

export const webhookChannels: readonly MessageChannel[] = [
  {
    name: 'webhook',
    protocol: 'webhook',
    address: '{notification_url}',
    title: 'Notifications to subscribers',
    description: 'At least once, in order per subscription; signed as Standard Webhooks says.',
    parameters: { notification_url: 'As given to POST /subscribe/{process_uuid}.' },
    action: 'send',
    messages: [
      { name: 'newTracks', summary: 'Tracks that were not told before', payload: NewTracksNotification, headers },
      { name: 'targetCount', summary: 'Another number of targets', payload: TargetCountNotification, headers },
      { name: 'processState', summary: 'Another state of the process', payload: ProcessStateNotification, headers },
      { name: 'minutesLow', summary: 'Less than a day of minutes is left', payload: MinutesLowNotification, headers },
    ],
  },
  {
    name: 'natsProcessNotifications',
    protocol: 'nats',
    address: 'aerie.v1.notification.{account}.{process_uuid}.{type}',
    title: 'Notifications of processes over NATS',
    description:
      'Of every live process, subscribed to or not, while AERIE_NATS_PUBLISH has notifications: each as it happens, with whole tracks. At most once: what must arrive goes to a webhook.',
    parameters: {
      account: 'The username that the key belongs to.',
      process_uuid: 'As answered by POST /start.',
      type: '`new-tracks`, `process-state` or `minutes-low`, as in the notification.',
    },
    action: 'send',
    messages: [
      { name: 'liveNewTracks', summary: 'Tracks that were not there before', payload: NewTracksNotification },
      { name: 'liveProcessState', summary: 'Another state of the process', payload: ProcessStateNotification },
      { name: 'liveMinutesLow', summary: 'Less than a day of minutes is left', payload: MinutesLowNotification },
    ],
  },
]
