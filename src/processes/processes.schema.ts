import { z } from 'zod'
import { endStates, liveStates } from '../core/process-states.ts'
import { toZulu } from '../core/clock.ts'
import { AppError, type InputError } from '../core/errors.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type OutputStatus } from '../core/output-status.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { PageQuery } from '../core/page.ts'
import { type TilingReport } from '../pipeline/messages.ts'
import { type ModelSummary } from './models.ts'
import { type Process, type ProcessOptions } from './process.ts'

/** The wire's shapes of processes. */

const state = z.enum([...liveStates, ...endStates])
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** `?confidence=` would be 0 otherwise. */
const emptyIsNoNumber = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? NaN : value)

export const StartQuery = z.object({
  source_uuid: z.uuid(),
  model: z.string().max(100).optional().describe('One of `GET /models`; the service’s default when left out.'),
  confidence: z
    .preprocess(emptyIsNoNumber, z.coerce.number().min(0).max(100))
    .optional()
    .describe(
      'Percent: only what is at least this certain is told. When left out, a track begins at 30 and is followed down to 10.',
    ),
  classes: z.string().max(2000).optional().describe('Comma-separated names of the only classes that are wanted.'),
  tracking: flag.optional().describe('Default true. Without it every `track_id` is 0.'),
  tiles: z
    .string()
    .regex(/^(auto|[1-4]x[1-4])$/, 'Choose auto, or columns and rows from 1 to 4, as in 2x2.')
    .optional()
    .describe(
      'When left out, what suits the model: `suggested_tiles` of `GET /models`. Cuts the picture into columns × rows that are looked at one by one, for small objects; takes as much longer. ' +
        '`auto` chooses them so that things have the size that the model was trained on, by height, pitch and field of view from telemetry and within the CPU that there is; the process info says what was chosen, and what was assumed.',
    ),
  pace: z
    .enum(['realtime', 'fast'])
    .default('realtime')
    .describe('For files: as long as the video lasts, or as fast as the machine can.'),
})
export type StartQuery = z.infer<typeof StartQuery>

export const StartedProcess = z.object({
  process_uuid: z.uuid(),
  feed_url: z.string(),
  detection_data_url: z.string(),
  telemetry_url: z.string(),
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
  source_url: z.string().describe('Passwords and keys are masked; the file’s name for files.'),
  created_at: z.string(),
  started_at: z.string().nullable().describe('When its first picture came.'),
  stopped_at: z.string().nullable(),
  stop_reason: z.string().nullable(),
  error: z.string().nullable().describe('What went wrong; while reconnecting, what is wrong now.'),
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
  outputs: z.array(ProcessOutputInfo),
  restarts: z.number().int(),
  telemetry: z
    .object({
      type: z.string(),
      format: z.string(),
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
      error: z.string().nullable().describe('What is wrong with the channel now.'),
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
    consumed_seconds: z.number().int(),
  }),
})

export const ByProcess = z.object({ process_uuid: z.uuid() })
export const ProcessesQuery = z.object({
  ...PageQuery.shape,
  ...OwnerQuery.shape,
  state: z
    .enum([...liveStates, ...endStates, 'live'])
    .optional()
    .describe('`live` are all that go on.'),
})
export const EventsQuery = z.object({
  ...OwnerQuery.shape,
  process_uuids: z
    .string()
    .max(4000)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.uuid()).max(50))
    .describe('Comma-separated, up to 50.'),
})
export const StoppedProcesses = z.object({ stopped: z.array(z.uuid()) })

/** What is told of an output beside its process. */
export interface AttachedOutput {
  readonly output: {
    readonly id: string
    readonly alias: string
    readonly type: string
    readonly settings: string | null
  }
  readonly status: OutputStatus | undefined
}

/** What is told of the telemetry of a live process. */
export interface ProcessTelemetry {
  readonly type: string
  readonly format: string
  readonly ageMs: number | null
  readonly delayMs: number | null
  readonly clock: 'sender' | 'arrival' | null
  readonly clockNote: string | null
  readonly rejected: Readonly<Record<string, number>>
  readonly error: string | null
}

export function toProcessInfo(
  process: Process,
  outputs: readonly AttachedOutput[],
  telemetry: ProcessTelemetry | null,
): z.infer<typeof ProcessInfo> {
  const { options, stats } = process
  const time = (ms: number | null) => (ms === null ? null : toZulu(ms))
  return {
    process_uuid: process.id,
    state: process.state,
    source_uuid: process.sourceId,
    source_url: maskSecrets(process.sourceUrl),
    created_at: toZulu(process.createdAt),
    started_at: time(process.startedAt),
    stopped_at: time(process.stoppedAt),
    stop_reason: process.stopReason,
    error: process.error,
    model: options.model,
    confidence: options.confidence === null ? null : percent(options.confidence),
    classes: options.classes && [...options.classes],
    tracking: options.isTracking,
    tiles: options.tiles,
    tiling: toTiling(stats?.tiling),
    pace: options.pace,
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
      age_ms: telemetry.ageMs,
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
      consumed_seconds: Math.floor(process.consumedMs / 1000),
    },
  }
}

function toTiling(tiling: TilingReport | undefined): z.infer<typeof ProcessInfo>['tiling'] {
  if (!tiling) return null
  return { grid: tiling.grid, scale: tiling.scale, looks: tiling.looks, reason: tiling.sentence }
}

/** The query as options; throws when it names a model or classes that there are not. */
export function toProcessOptions(
  query: StartQuery,
  models: readonly ModelSummary[],
  defaultModel: string,
): ProcessOptions {
  const name = query.model ?? defaultModel
  const model = models.find((candidate) => candidate.name === name)
  if (!model) throw invalid('query.model', `Choose one of ${models.map((one) => one.name).join(', ')}.`)
  const classes = query.classes
    ?.split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  const known = model.classes.map((one) => one.name)
  const unknown = classes?.filter((text) => !known.includes(text)) ?? []
  if (unknown.length > 0)
    throw invalid(
      'query.classes',
      `The model ${name} does not know ${unknown.join(', ')}; GET /models lists its classes.`,
    )
  return {
    model: name,
    confidence: query.confidence === undefined ? null : query.confidence / 100,
    classes: classes?.length ? classes : null,
    isTracking: query.tracking ?? true,
    tiles: query.tiles ?? model.suggestedTiles,
    pace: query.pace,
  }
}

const percent = (share: number) => Math.round(share * 10_000) / 100

function invalid(path: string, message: string): AppError {
  const errors: InputError[] = [{ path, message }]
  return new AppError('input-invalid', {}, { errors })
}
