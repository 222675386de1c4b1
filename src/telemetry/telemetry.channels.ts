import { type MessageChannel } from '../core/message-channel.ts'
import { DroneData, SentTelemetry } from './telemetry.schema.ts'

const parameters = { process_uuid: 'As answered by POST /start.' }

export const telemetryChannels: readonly MessageChannel[] = [
  {
    name: 'droneData',
    protocol: 'websocket',
    address: '/process/{process_uuid}/drone_data',
    title: 'Telemetry as it was received',
    parameters,
    action: 'send',
    messages: [{ name: 'droneTelemetry', summary: 'Where the camera is and looks', payload: DroneData }],
  },
  {
    name: 'telemetry',
    protocol: 'websocket',
    address: '/process/{process_uuid}/telemetry',
    title: 'Telemetry for a process whose source has it by websocket',
    description:
      'A message that cannot be used is answered by `{"error": sentence}`. Sources with the format `vendor_a` take the vendor’s own messages instead.',
    parameters,
    action: 'receive',
    messages: [{ name: 'telemetryMessage', summary: 'Where the camera is and looks', payload: SentTelemetry }],
  },
]
