import { type MessageChannel } from '../core/message-channel.ts'
import { DetectionMessage } from './detection-message.ts'

export const processChannels: readonly MessageChannel[] = [
  {
    name: 'detectionData',
    protocol: 'websocket',
    address: '/process/{process_uuid}/detection_data',
    title: 'What a process sees',
    description: 'For one client at a time; the same messages as server-sent events at /process/{process_uuid}/events.',
    parameters: { process_uuid: 'As answered by POST /start.' },
    action: 'send',
    messages: [{ name: 'detection', summary: 'What is in one frame', payload: DetectionMessage }],
  },
]
