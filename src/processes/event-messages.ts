import { z } from 'zod'
import { type NodeId } from '../core/node.ts'
import { type Topic } from '../core/node-exchange.ts'
import { processStates } from '../core/process-facts.ts'
import { AlertMessage } from './alert-message.ts'
import { StatusMessage } from './status-message.ts'
import { TelemetryMessage } from './telemetry-message.ts'

/** Events of processes, between the node on which these run and the one that has a client of several. */

export const MAX_IN_INTEREST = 500

const ids = z.array(z.uuid()).max(MAX_IN_INTEREST)
const Interest = z.object({
  processIds: ids,
  // A node of an earlier version neither asks for these nor sends them.
  alertsOf: ids.optional(),
  telemetryOf: ids.optional(),
})
export type Interest = z.infer<typeof Interest>

/** A node has clients of these, which do not run on it; published again as long as that is so. */
export const interest: Topic<Interest> = { name: 'event-interest', schema: Interest }
/** Interest that is not renewed for so long is over. */
export const INTEREST_MS = 10_000
export const RENEW_INTEREST_MS = 4_000

const processId = z.uuid()
export const EventElsewhere = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), processId, message: z.string(), sequence: z.number().int() }),
  z.object({ type: z.literal('status'), processId, status: StatusMessage, cause: z.string().nullable() }),
  z.object({
    type: z.literal('minutes-low'),
    processId,
    low: z.object({
      accountId: z.string(),
      processIds: z.array(z.string()),
      remainingSeconds: z.number(),
      allottedSeconds: z.number(),
      lastsSeconds: z.number(),
    }),
  }),
  z.object({ type: z.literal('alert'), processId, alert: AlertMessage }),
  z.object({ type: z.literal('telemetry'), processId, telemetry: TelemetryMessage, number: z.number().int() }),
  z.object({ type: z.literal('end'), processId, state: z.enum(processStates) }),
])
export type EventElsewhere = z.infer<typeof EventElsewhere>

/** Each node has a topic of its own: events are many, and the others do not want them. */
export function eventsTo(nodeId: NodeId): Topic<EventElsewhere> {
  return { name: `process-events.${Buffer.from(nodeId).toString('base64url')}`, schema: EventElsewhere }
}
