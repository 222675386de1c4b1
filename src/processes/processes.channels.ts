import { z } from 'zod'
import { type MessageChannel } from '../core/message-channel.ts'
import { minutesLowFields } from '../core/minutes.ts'
import { AlertMessage } from './alert-message.ts'
import { DetectionMessage } from './detection-message.ts'
import { StatusMessage } from './status-message.ts'
import { TelemetryMessage } from './telemetry-message.ts'

const parameters = { process_uuid: 'As answered by POST /start.' }
const messages = [{ name: 'detection', summary: 'What is in one frame', payload: DetectionMessage }]
const MinutesLowEvent = z.object({ process_uuid: z.uuid(), ...minutesLowFields })
const eventMessages = [
  ...messages,
  {
    name: 'minutesLow',
    summary: 'As `event: minutes-low`, once: less than a day of minutes is left at what runs now',
    payload: MinutesLowEvent,
  },
  {
    name: 'status',
    summary:
      'As `event: status`: how it goes with the process, at the beginning and whenever its state or its problem changes',
    payload: StatusMessage,
  },
  {
    name: 'alert',
    summary: 'As `event: alert`, with `?with=alerts`: what an alert notifies of; `/alert_events` keeps it',
    payload: AlertMessage,
  },
  {
    name: 'eventTelemetry',
    summary: 'As `event: telemetry`, with `?with=telemetry`: where the camera is, twice a second at most',
    payload: TelemetryMessage,
  },
]

export const processChannels: readonly MessageChannel[] = [
  {
    name: 'detectionData',
    protocol: 'websocket',
    address: '/process/{process_uuid}/detection_data',
    title: 'What a process sees',
    description: 'For one client at a time.',
    parameters,
    action: 'send',
    messages,
  },
  {
    name: 'detectionEvents',
    protocol: 'events',
    address: '/process/{process_uuid}/events',
    title: 'The same as server-sent events',
    description: 'For many clients; each message is the `data` of an event.',
    parameters,
    action: 'send',
    messages: eventMessages,
  },
  {
    name: 'severalEvents',
    protocol: 'events',
    address: '/processes/events?process_uuids={process_uuids}',
    title: 'What several processes see, as server-sent events',
    parameters: { process_uuids: 'Ids of processes, joined by commas.' },
    action: 'send',
    messages: eventMessages,
  },
  {
    name: 'natsScenes',
    protocol: 'nats',
    address: 'aerie.v1.scene.{account}.{process_uuid}',
    title: 'The same over NATS',
    description:
      'Of every live process, while AERIE_NATS_PUBLISH has scenes. At most once: nothing is sent again, and `sequence` shows what was lost.',
    parameters: { account: 'The username that the key belongs to.', ...parameters },
    action: 'send',
    messages,
  },
]
