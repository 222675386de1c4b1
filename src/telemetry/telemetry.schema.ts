import { z } from 'zod'
import { telemetryFields } from '../core/telemetry-cfg.ts'
import { NativeMessage } from './native-format.ts'

/** The wire's shapes of telemetry messages. */

/** As it is sent to us. Its time is read apart from the rest, since it may be written in several ways. */
export const SentTelemetry = z.object({
  timestamp: z.union([z.number(), z.string()]).describe('Unix seconds; milliseconds and ISO 8601 are understood too.'),
  ...NativeMessage.shape,
})

/** As it is passed on: fields that are not known are left out. */
export const DroneData = z.object({
  timestamp: z.number().describe('Unix seconds, as its sender gave it.'),
  ...z.object(telemetryFields).partial().shape,
})
