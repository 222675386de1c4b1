import { type OutputKind } from './output-kind.ts'

/** What the drone sends, passed on. */
export const droneData = {
  type: 'drone_data',
  needsTelemetry: true,
  video: null,
} as const satisfies OutputKind
