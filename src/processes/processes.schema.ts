import { z } from 'zod'
import { processStates } from '../core/process-facts.ts'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type OutputStatus } from '../core/video-output.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { PageQuery } from '../core/page.ts'
import { rounded } from '../core/numbers.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type TilingReport } from '../pipeline/messages.ts'
import { askedExtras } from './asked-extras.ts'
import { priorities, type Process } from './process.ts'
import { type ProcessHealth } from './process-health.ts'

/** The wire's shapes of processes. */

const state = z.enum(processStates)

export const StartedProcess = z.object({
  process_uuid: z.uuid(),
  feed_url: z.string(),
  detection_data_url: z.string(),
  telemetry_url: z.string(),
  warning: z.string().optional().describe('On a machine that is full: what that means.'),
})

const ProcessOutputInfo = z.object({
  output_uuid: z.uuid(),
  alias: z.string(),
  type: z.string(),
  settings: z.string().nullable(),
  state: z.enum(['connecting', 'sending', 'waiting']).nullable().describe('`waiting` is between two tries.'),
  error: z.string().nullable().describe('What is wrong with it now.'),
})

const milliseconds = z.number().nullable()
export const ProcessInfo = z.object({
  process_uuid: z.uuid(),
  state,
  source_uuid: z.uuid(),
  source_alias: z.string().nullable().describe('Null when the source has been removed.'),
  source_url: z
    .string()
    .nullable()
    .describe(
      'Passwords and keys are masked; the file’s name for files. null where the source belongs to somebody else.',
    ),
  created_at: z.string(),
  started_at: z.string().nullable().describe('When its first picture came.'),
  stopped_at: z.string().nullable(),
  stop_reason: z.string().nullable(),
  error: z.string().nullable().describe('What went wrong; while reconnecting, what is wrong now.'),
  problem: z
    .string()
    .nullable()
    .describe('What is wrong now, with the source, the telemetry or an output; null when all is well.'),
  last_frame_at: z.string().nullable().describe('When its last picture was decoded; null before the first.'),
  last_frame_age_ms: z.number().int().nullable().describe('Since then; null also when it has ended.'),
  model: z.string(),
  confidence: z.number().nullable(),
  classes: z.array(z.string()).nullable(),
  tracking: z.boolean(),
  tiles: z.string(),
  tiling: z
    .object({
      grid: z.string(),
      scale: z.number().describe('Pixels that the model sees for each pixel of the picture.'),
      looks: z.number().int().describe('How often it looks at one picture.'),
      reason: z.string().describe('Why, and what was assumed.'),
    })
    .nullable()
    .describe('What `tiles=auto` has chosen; null otherwise.'),
  pace: z.enum(['realtime', 'fast']),
  when: z.enum(['now', 'live']),
  again: z.boolean().describe('It begins each time that video comes.'),
  priority: z.enum(priorities),
  labels: z.array(z.string()).describe('What its node must have.'),
  outputs: z.array(ProcessOutputInfo).describe('Empty where the source belongs to somebody else.'),
  restarts: z.number().int(),
  telemetry: z
    .object({
      type: z.string(),
      format: z.string(),
      last_at: z.string().nullable().describe('When the last good message came; null before the first.'),
      age_ms: z.number().nullable().describe('Since the last good message; null before the first.'),
      delay_ms: z.number().nullable().describe('How long messages take to arrive, by their own times.'),
      clock: z
        .enum(['sender', 'arrival'])
        .nullable()
        .describe(
          'What places messages in time: their own timestamps, or their arrival while those cannot be right. Null before the first.',
        ),
      clock_note: z.string().nullable().describe('Why it is the arrival; null otherwise.'),
      rejected: z.record(z.string(), z.number().int()).describe('Messages that were not used, by reason.'),
      error: z.string().nullable().describe('What is wrong now: with the channel, or that nothing good comes by it.'),
    })
    .nullable(),
  stats: z.object({
    input_fps: z.number(),
    processed_fps: z.number(),
    dropped_frames: z.number().int(),
    decode_errors: z.number().int(),
    inference_ms_p50: milliseconds,
    inference_ms_p95: milliseconds,
    latency_ms_p50: milliseconds,
    latency_ms_p95: milliseconds,
    latency_ms_p99: milliseconds,
    consumed_seconds: z.number().int(),
  }),
})

export const ProcessesQuery = z.object({
  ...PageQuery.shape,
  ...OwnerQuery.shape,
  state: z
    .enum([...processStates, 'live'])
    .optional()
    .describe('`live` are all that go on.'),
})
const With = z
  .string()
  .max(100)
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(z.enum(askedExtras)))
  .optional()
  .describe(
    'Comma-separated, what else is sent: `alerts` are `event: alert`, what alerts notify of; `telemetry` is `event: telemetry`, where the camera is, twice a second at most.',
  )
export const EventQuery = z.object({ ...OwnerQuery.shape, with: With })
export const EventsQuery = z.object({
  ...EventQuery.shape,
  process_uuids: z
    .string()
    .max(4000)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.uuid()).max(50))
    .describe('Comma-separated, up to 50.'),
})
export const StoppedProcesses = z.object({ stopped: z.array(z.uuid()) })

/** How a process is set. */
export function toProcessSettings({ options, ...process }: Process): object {
  return {
    process_uuid: process.id,
    source_uuid: process.sourceId,
    created_at: toZulu(process.createdAt),
    started_at: toZuluOrNull(process.startedAt),
    stopped_at: toZuluOrNull(process.stoppedAt),
    stop_reason: process.stopReason,
    model: options.model,
    confidence: options.confidence === null ? null : rounded(options.confidence * 100, 2),
    classes: options.classes && [...options.classes],
    tracking: options.isTracking,
    tiles: options.tiles,
    pace: options.pace,
    restarts: process.restarts,
  }
}

/** What is shown of an output with its process. */
export interface OutputWithStatus {
  readonly output: {
    readonly id: string
    readonly alias: string
    readonly type: string
    readonly settings: string | null
  }
  readonly status: OutputStatus | undefined
}

export function toProcessInfo(
  process: Process,
  outputs: readonly OutputWithStatus[],
  telemetry: TelemetryStatus | null,
  { health, sourceAlias }: { readonly health: ProcessHealth; readonly sourceAlias: string | null },
): z.infer<typeof ProcessInfo> {
  const { options, stats } = process
  return {
    process_uuid: process.id,
    state: process.state,
    source_uuid: process.sourceId,
    source_alias: sourceAlias,
    source_url: maskSecrets(process.sourceUrl),
    created_at: toZulu(process.createdAt),
    started_at: toZuluOrNull(process.startedAt),
    stopped_at: toZuluOrNull(process.stoppedAt),
    stop_reason: process.stopReason,
    error: process.error,
    problem: health.problem?.sentence ?? null,
    last_frame_at: toZuluOrNull(health.lastFrameAtMs),
    last_frame_age_ms: health.lastFrameAgeMs,
    model: options.model,
    confidence: options.confidence === null ? null : rounded(options.confidence * 100, 2),
    classes: options.classes && [...options.classes],
    tracking: options.isTracking,
    tiles: options.tiles,
    tiling: toTiling(stats?.tiling),
    pace: options.pace,
    when: options.begins === 'now' ? 'now' : 'live',
    again: options.begins === 'each-time-live',
    priority: options.priority,
    labels: [...options.labels],
    outputs: outputs.map(({ output, status }) => ({
      output_uuid: output.id,
      alias: output.alias,
      type: output.type,
      settings: output.settings,
      state: status?.state ?? null,
      error: status?.error ?? null,
    })),
    restarts: process.restarts,
    telemetry: telemetry && {
      type: telemetry.type,
      format: telemetry.format,
      last_at: telemetry.last && toZulu(telemetry.last.atMs),
      age_ms: telemetry.last && telemetry.last.ageMs,
      delay_ms: telemetry.delayMs === null ? null : Math.round(telemetry.delayMs),
      clock: telemetry.clock,
      clock_note: telemetry.clockNote,
      rejected: { ...telemetry.rejected },
      error: telemetry.error,
    },
    stats: {
      input_fps: stats?.inputFps ?? 0,
      processed_fps: stats?.processedFps ?? 0,
      dropped_frames: stats?.droppedFrames ?? 0,
      decode_errors: stats?.decodeErrors ?? 0,
      inference_ms_p50: stats?.inferenceMs.p50 ?? null,
      inference_ms_p95: stats?.inferenceMs.p95 ?? null,
      latency_ms_p50: stats?.latencyMs.p50 ?? null,
      latency_ms_p95: stats?.latencyMs.p95 ?? null,
      // Missing in rows of before there was one.
      latency_ms_p99: stats?.latencyMs.p99 ?? null,
      consumed_seconds: Math.floor(process.consumedMs / 1000),
    },
  }
}

function toTiling(tiling: TilingReport | undefined): z.infer<typeof ProcessInfo>['tiling'] {
  if (!tiling) return null
  return { grid: tiling.grid, scale: tiling.scale, looks: tiling.looks, reason: tiling.sentence }
}
