import { z } from 'zod'
import { cameraFaultFor } from '../core/camera-fault.ts'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { hlsUrl, vodUrl, webrtcUrl } from '../core/media-path.ts'
import { PageQuery } from '../core/page.ts'
import { isRecorded, recordingModes } from '../core/recording-mode.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { type SourceRight, sourceRights } from '../core/source-rights.ts'
import { maskTelemetryCfg, TelemetryCfg } from '../core/telemetry-cfg.ts'
import { TELEMETRY_PROBLEM } from './source-problem.ts'
import { type Source, type SourceConnection, type SourceState, type VideoInfo } from './source.ts'

/** The wire's shapes of sources. */

export const Alias = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'It has characters that cannot be shown; leave them out.')
  .describe('A label of your choice.')

const STREAM_URL = /^rt(mp|sp)s?:\/\/[^\s/]+/i
const NOT_A_URL = 'This is not a URL; write host, port and path as in rtsp://camera.local:554/1.'
const InputUrl = z
  .string()
  .max(2000)
  .regex(
    STREAM_URL,
    'Write an address that begins with rtsp:// or rtmp://, as in rtsp://camera.local/1 or rtmp://camera.local/live/1.',
  )

const Address = InputUrl.superRefine((url, context) => {
  // Of an address that is no stream's that is said already.
  if (!STREAM_URL.test(url)) return
  if (!URL.canParse(url)) context.addIssue({ code: 'custom', message: NOT_A_URL })
  if (/@.*@|#/.test(url))
    context.addIssue({ code: 'custom', message: 'Write an @ or # of its password as %40 or %23.' })
})

const BY_EVENT =
  '`events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour.'
const recording = {
  record: z
    .boolean()
    .optional()
    .describe('Whether its stream is kept while it sends; `recording_mode` says it more finely. true leaves `events`.'),
  recording_mode: z
    .enum(recordingModes)
    .optional()
    .describe(`What is kept of its stream. \`always\`: all of it. ${BY_EVENT}`),
  recording_classes: z
    .array(z.string().min(1).max(100))
    .max(200)
    .nullable()
    .optional()
    .describe('Of `events`: the classes that count; null for all, an empty list where alerts alone count.'),
}

export const NewStream = z
  .strictObject({
    alias: Alias,
    input_url: Address,
    stream_type: z.enum(['rtmp', 'rtsp']),
    telemetry_cfg: TelemetryCfg.nullish(),
    ...recording,
    record: recording.record.describe('Default: true. `recording_mode` says it more finely.'),
  })
  .superRefine(({ input_url, stream_type }, context) => {
    if (!STREAM_URL.test(input_url)) return
    const [, type] = /^(rt[ms]p)/.exec(input_url.toLowerCase())!
    if (type !== stream_type) {
      const message = `The address in input_url begins with ${type}: write ${type} here, or give an address that begins with ${stream_type}.`
      context.addIssue({ code: 'custom', path: ['stream_type'], message })
    }
  })
export type NewStream = z.infer<typeof NewStream>

/** What is left out stays as it is. */
export const SourceChange = z
  .strictObject({
    alias: Alias.optional(),
    input_url: Address.optional().describe(
      'A camera keeps its path, unless another source shares it, and its processes go on with the new address.',
    ),
    telemetry_cfg: TelemetryCfg.nullable().optional(),
    ...recording,
  })
  .refine(
    (change) => Object.keys(change).length > 0,
    'Name what is to change: alias, input_url, telemetry_cfg, recording_mode or recording_classes.',
  )
export type SourceChange = z.infer<typeof SourceChange>

/** An address to be looked at before it is registered. */
export const ProbedStream = z.strictObject({
  input_url: InputUrl.refine((url) => URL.canParse(url) || !STREAM_URL.test(url), NOT_A_URL),
})
const Video = z.object({
  codec: z.string(),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  has_b_frames: z.boolean().optional().describe('WebRTC can’t carry them. Left out while it isn’t known.'),
})
export const StreamLook = z.object({
  is_readable: z.boolean().describe('A picture could be decoded.'),
  video: Video.nullable(),
  problems: z.array(z.string()).describe('What is wrong with it, and what to do.'),
})
export type StreamLook = z.infer<typeof StreamLook>

const Connection = z.object({
  kind: z.enum(['published', 'pulled']).describe('`pulled`: a camera that the service calls.'),
  state: z
    .enum(['connected', 'offline', 'idle', 'connecting', 'lost'])
    .describe('Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.'),
  since: z.string().nullable().describe('Since when; null where it is not known.'),
  last_error: z.string().nullable().describe('What went wrong last, in words.'),
  last_error_at: z.string().nullable(),
})

export const SourceRecord = z.object({
  source_uuid: z.uuid(),
  alias: z.string(),
  type: z.enum(['file', 'stream']),
  owner: z.string().describe('The username of the key that it belongs to.'),
  rights: z
    .array(z.enum(sourceRights))
    .nullable()
    .describe('What the caller was given on it; null where it is its own, or its child’s: then it may do everything.'),
  input_url: z
    .string()
    .nullable()
    .describe('Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else.'),
  stream_type: z.enum(['rtmp', 'rtsp']).nullable(),
  status: z.enum(['offline', 'streaming', 'processing', 'unknown']),
  recording: z.enum(['on', 'off', 'stopped-disk-full']).nullable().describe('Whether it is kept just now. Of streams.'),
  record: z
    .boolean()
    .nullable()
    .describe('Whether it is to be kept while it sends: its mode is not `off`. Of streams.'),
  recording_mode: z.enum(recordingModes).nullable().describe(`What is to be kept. Of streams. ${BY_EVENT}`),
  recording_classes: z.array(z.string()).nullable().describe('Of `events` the classes that count; null for all.'),
  connection: Connection.nullable().describe('How it goes with a stream.'),
  problem: z.string().nullable().describe('What is wrong with a stream now; null when all is well.'),
  last_frame_at: z
    .string()
    .nullable()
    .describe(
      'When video last came from a stream, also when it is gone; null where none came since the service started.',
    ),
  last_frame_age_ms: z.number().int().nullable(),
  last_telemetry_at: z.string().nullable().describe('When one of its live processes last got a good message.'),
  last_telemetry_age_ms: z.number().int().nullable(),
  hls_url: z.string().nullable().describe('Of streams; needs a key or a read token, as `?api_key=` or `?token=`.'),
  vod_url: z
    .string()
    .nullable()
    .describe(
      'Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is.',
    ),
  webrtc_url: z.string().nullable().describe('A page that plays it; WHEP and WHIP are at /whep and /whip below it.'),
  telemetry_cfg: z.unknown().nullable().describe('null also of what belongs to somebody else.'),
  created_at: z.string(),
  video: Video.optional(),
})

export const ChangedSource = SourceRecord.extend({
  needs_relaunch: z
    .array(z.uuid())
    .describe(
      'Processes that still work with the telemetry of before, as their `problem` says too: stop and start them for the new one.',
    ),
})

export const BySource = z.object({ source_id: z.uuid() })
export const SourcesQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })

/** For whom a source is described. */
export interface SourceView {
  readonly owner: string
  /** What was given on it; null where it is one's own, or a child's. */
  readonly rights: readonly SourceRight[] | null
}

export const DeletedSource = z.object({ source_uuid: z.uuid(), deleted: z.literal(true) })

export function toSourceRecord(
  source: Source,
  baseUrl: string,
  state: SourceState,
  { owner, rights }: SourceView,
): z.infer<typeof SourceRecord> {
  const { status, connection, recording, lastFrame, lastTelemetry, problem } = rights ? forOthers(state) : state
  const watchedPath = rights === null || rights.includes('watch') ? source.mediaPath : null
  return {
    source_uuid: source.id,
    alias: source.alias,
    type: source.type,
    owner,
    rights: rights && [...rights],
    input_url: rights ? null : maskSecrets(source.inputUrl),
    stream_type: source.streamType,
    status,
    recording,
    record: source.type === 'file' ? null : isRecorded(source),
    recording_mode: source.type === 'file' ? null : source.recordingMode,
    recording_classes: source.recordingClasses && [...source.recordingClasses],
    connection: connection && toConnection(connection),
    problem,
    last_frame_at: lastFrame && toZulu(lastFrame.atMs),
    last_frame_age_ms: lastFrame && lastFrame.ageMs,
    last_telemetry_at: lastTelemetry && toZulu(lastTelemetry.atMs),
    last_telemetry_age_ms: lastTelemetry && lastTelemetry.ageMs,
    hls_url: watchedPath && hlsUrl(baseUrl, watchedPath),
    vod_url: watchedPath && vodUrl(baseUrl, watchedPath),
    webrtc_url: watchedPath && webrtcUrl(baseUrl, watchedPath),
    telemetry_cfg: rights ? null : source.telemetryCfg && maskTelemetryCfg(source.telemetryCfg),
    created_at: toZulu(source.createdAt),
    ...(source.video && { video: toVideo(source.video) }),
  }
}

/** Sentences about a camera or a broker may name their addresses, and how they are set up. */
function forOthers(state: SourceState): SourceState {
  const { connection, problem } = state
  const lastError = connection?.lastError
  const fault = lastError ? { ...lastError, sentence: cameraFaultFor({ isOwner: false }, lastError.sentence) } : null
  return {
    ...state,
    connection: connection && { ...connection, lastError: fault },
    problem: problem === lastError?.sentence ? (fault?.sentence ?? null) : problem && withoutTelemetry(problem),
  }
}

const withoutTelemetry = (problem: string) =>
  problem.startsWith(TELEMETRY_PROBLEM) ? `${TELEMETRY_PROBLEM}it does not come as it should.` : problem

/** How a source is set, without secrets; where it is reached only for who has it. */
export function toSourceSettings(source: Source, isOwn: boolean): object {
  return {
    source_uuid: source.id,
    alias: source.alias,
    type: source.type,
    ...(isOwn && { input_url: maskSecrets(source.inputUrl) }),
    stream_type: source.streamType,
    recording_mode: source.recordingMode,
    recording_classes: source.recordingClasses && [...source.recordingClasses],
    ...(isOwn && { telemetry_cfg: source.telemetryCfg && maskTelemetryCfg(source.telemetryCfg) }),
    created_at: toZulu(source.createdAt),
    ...(source.video && { video: toVideo(source.video) }),
  }
}

function toConnection({ kind, state, since, lastError }: SourceConnection): z.infer<typeof Connection> {
  return {
    kind,
    state,
    since: toZuluOrNull(since),
    last_error: lastError?.sentence ?? null,
    last_error_at: lastError ? toZulu(lastError.at) : null,
  }
}

function toVideo({ hasBFrames, ...video }: VideoInfo): z.infer<typeof Video> {
  return { ...video, ...(hasBFrames !== undefined && { has_b_frames: hasBFrames }) }
}
