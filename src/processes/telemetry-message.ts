import { z } from 'zod'
import { type ReceivedTelemetry } from '../core/received-telemetry.ts'
import { telemetryFields } from '../core/telemetry-cfg.ts'

/** Where the camera of a process is and looks, as it is sent beside what it sees. */
export const TelemetryMessage = z.object({
  process_uuid: z.uuid(),
  age_ms: z.number().int().describe('Since it came; how old it was by then, only its sender’s clock knows.'),
  timestamp: z.number().describe('Unix seconds, as its sender gave it.'),
  ...z.object(telemetryFields).partial().shape,
})
export type TelemetryMessage = z.infer<typeof TelemetryMessage>

export function toTelemetryMessage(processId: string, { ageMs, message }: ReceivedTelemetry): TelemetryMessage {
  return { process_uuid: processId, age_ms: Math.round(ageMs), timestamp: message['timestamp']!, ...message }
}
