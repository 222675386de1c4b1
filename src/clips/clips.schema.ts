import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { PageQuery } from '../core/page.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { clipStates } from './clip.ts'
import { type ListedClip } from './clips.store.ts'

/** The wire's shapes of clips. */

export const ByClip = z.object({ clip_uuid: z.uuid() })

const Moment = z.iso
  .datetime({ offset: true, error: 'Write date, time and time zone, as in 2026-12-31T22:00:00Z.' })
  .max(40)
  .transform((text) => Date.parse(text))

const Alias = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'It has characters that cannot be shown; leave them out.')

const choices = {
  with_boxes: z.boolean().default(false).describe('With what was seen drawn into the picture, which is encoded anew.'),
  alias: Alias.optional().describe('Default: the alias of the source, and the time.'),
}
const processId = z.uuid()
const trackId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const NewClip = z.union(
  [
    z.strictObject({ source_uuid: z.uuid(), from: Moment, to: Moment, ...choices }),
    z.strictObject({
      process_uuid: processId,
      from: Moment.optional().describe('Default: when it began.'),
      to: Moment.optional().describe('Default: when it ended, or now.'),
      ...choices,
    }),
    z.strictObject({ process_uuid: processId, track_id: trackId, ...choices }),
    z.strictObject({
      event_uuid: z
        .uuid()
        .describe('As in the notification of an alert: from ten seconds before to ten seconds after.'),
      ...choices,
    }),
  ],
  {
    error:
      'Say what to cut: `source_uuid` with `from` and `to` (date, time and time zone), `process_uuid` with or without these, `process_uuid` with `track_id`, or `event_uuid`; beside it `with_boxes` and `alias`, and nothing else.',
  },
)
export type NewClip = z.infer<typeof NewClip>

export const ClipChange = z.strictObject({ alias: Alias })

export const ClipsQuery = z.object({
  ...PageQuery.shape,
  ...OwnerQuery.shape,
  source_uuid: z.uuid().optional().describe('Only of this source.'),
})

const Part = z.object({
  url: z.string().describe('For a day; it ends with the key.'),
  from: z.string(),
  to: z.string(),
  duration_seconds: z.number().describe('Shorter than from `from` to `to` where something was not recorded.'),
  size_bytes: z.number().int(),
  sha256: z.string(),
  video: z.object({ codec: z.string(), width: z.number().int(), height: z.number().int(), fps: z.number() }),
})

export const ClipRecord = z.object({
  clip_uuid: z.uuid(),
  alias: z.string(),
  source_uuid: z.uuid(),
  source_alias: z.string().nullable().describe('null once the source is removed.'),
  process_uuid: z.uuid().nullable(),
  track_id: z.number().int().nullable(),
  event_uuid: z.uuid().nullable(),
  from: z.string(),
  to: z.string(),
  with_boxes: z.boolean(),
  state: z.enum(clipStates),
  progress: z.number().int().describe('0 to 100.'),
  error: z.string().nullable().describe('Why it failed, or what it waits for.'),
  note: z.string().nullable().describe('What is to be known about it: of several parts, of what was not recorded.'),
  url: z.string().nullable().describe('Of the first part; null before it is ready.'),
  parts: z.array(Part).describe('Files, in the order of time; another begins where the format of the video changes.'),
  gaps: z
    .array(z.object({ start: z.string(), duration_seconds: z.number() }))
    .describe('What was not recorded, and is left out.'),
  size_bytes: z.number().int().describe('Before it is ready an estimate.'),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})

export const DeletedClip = z.object({ clip_uuid: z.uuid(), deleted: z.literal(true) })

/** `partUrl` makes a link to the part of this number, from 1. */
export function toClipRecord(clip: ListedClip, partUrl: (n: number) => string): z.infer<typeof ClipRecord> {
  const parts = clip.parts.map((part, index) => ({
    url: partUrl(index + 1),
    from: toZulu(part.from),
    to: toZulu(part.to),
    duration_seconds: part.durationMs / 1000,
    size_bytes: part.sizeBytes,
    sha256: part.sha256,
    video: part.video,
  }))
  return {
    clip_uuid: clip.id,
    alias: clip.alias,
    source_uuid: clip.sourceId,
    source_alias: clip.sourceAlias,
    process_uuid: clip.processId,
    track_id: clip.trackId,
    event_uuid: clip.eventId,
    from: toZulu(clip.from),
    to: toZulu(clip.to),
    with_boxes: clip.withBoxes,
    state: clip.state,
    progress: clip.progress,
    error: clip.error,
    note: clip.note,
    url: parts[0]?.url ?? null,
    parts,
    gaps: clip.gaps.map(({ from, to }) => ({ start: toZulu(from), duration_seconds: (to - from) / 1000 })),
    size_bytes: clip.sizeBytes,
    created_at: toZulu(clip.createdAt),
    finished_at: toZuluOrNull(clip.finishedAt),
  }
}
