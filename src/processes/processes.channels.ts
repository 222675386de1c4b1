import { type MessageChannel } from '../core/message-channel.ts'
import { DetectionMessage } from './detection-message.ts'

const parameters = { process_uuid: 'As answered by POST /start.' }
const messages = [{ name: 'detection', summary: 'What is in one frame', payload: DetectionMessage }]

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
    messages,
  },
  {
    name: 'severalEvents',
    protocol: 'events',
    address: '/processes/events?process_uuids={process_uuids}',
    title: 'What several processes see, as server-sent events',
    parameters: { process_uuids: 'Ids of processes, joined by commas.' },
    action: 'send',
    messages,
  },
]
