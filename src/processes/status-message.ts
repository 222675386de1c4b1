import { z } from 'zod'
import { toZuluOrNull } from '../core/clock.ts'
import { processStates } from '../core/process-facts.ts'
import { type Process } from './process.ts'
import { type ProcessHealth } from './process-health.ts'

/** How it goes with a process: sent when its state or its problem changes, beside what it sees. */
export const StatusMessage = z.object({
  process_uuid: z.uuid(),
  state: z.enum(processStates),
  problem: z.string().nullable().describe('What is wrong now; null when all is well.'),
  last_frame_at: z.string().nullable(),
  last_frame_age_ms: z.number().int().nullable(),
  last_telemetry_age_ms: z.number().int().nullable(),
})
export type StatusMessage = z.infer<typeof StatusMessage>

export function toStatusMessage(process: Pick<Process, 'id' | 'state'>, health: ProcessHealth): StatusMessage {
  return {
    process_uuid: process.id,
    state: process.state,
    problem: health.problem?.sentence ?? null,
    last_frame_at: toZuluOrNull(health.lastFrameAtMs),
    last_frame_age_ms: health.lastFrameAgeMs,
    last_telemetry_age_ms: health.lastTelemetry?.ageMs ?? null,
  }
}

/** In the place of sentences that may name addresses of cameras, brokers and outputs. */
export const NOT_FOR_OTHERS = 'Something is wrong with it; its owner is told what.'

/** As who was given a right on its source gets it. */
export function statusForOthers(status: StatusMessage): StatusMessage {
  return { ...status, problem: status.problem && NOT_FOR_OTHERS }
}
