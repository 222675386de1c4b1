import { type OutputKind } from './output-kind.ts'

/** What a process sees; its type is the last part of the websocket's address. */
export const detectionData = {
  type: 'detection_data',
  needsTelemetry: false,
  video: null,
} as const satisfies OutputKind
