import { z } from 'zod'
import { PageQuery } from '../core/page.ts'
import { queryList } from '../core/query-list.ts'
import { checkTimeRange, OwnerQuery, queryFlag, queryNumber, TimeRangeQuery } from '../core/request-fields.ts'
import { checkOneOfSources, ClassWord, SourceUuids } from '../core/search-fields.ts'
import { type Circle } from './circle.ts'
import {
  ClassName,
  EnhancedDataRecord,
  Patches,
  percent,
  toPatches,
  toTrackSpanFields,
  trackSpanFields,
} from './reports.schema.ts'
import { CURSOR, type FoundTrack } from './track-search.ts'

/** The wire's shapes of tracks that are searched for. */

const MAX_RADIUS_M = 100_000
/** Pictures are read into memory and sent at once. */
const MAX_WITH_PATCHES = 100
const NOT_A_CIRCLE = `Write latitude (-90 to 90), longitude (-180 to 180) and a radius of 1 to ${MAX_RADIUS_M} metres, as in 48.1374,11.5755,200.`

const Near = z
  .string()
  .max(100)
  .transform((text, context): Circle => {
    const [latitude, longitude, radiusM, ...more] = text.split(',').map(toNumber)
    const isCircle =
      more.length === 0 &&
      Math.abs(latitude ?? NaN) <= 90 &&
      Math.abs(longitude ?? NaN) <= 180 &&
      radiusM! >= 1 &&
      radiusM! <= MAX_RADIUS_M
    if (isCircle) return { latitude: latitude!, longitude: longitude!, radiusM: radiusM! }
    context.addIssue({ code: 'custom', message: NOT_A_CIRCLE })
    return z.NEVER
  })

const toNumber = (text: string) => (/^ *[+-]?\d+(\.\d+)? *$/.test(text) ? Number(text) : NaN)

export const TracksQuery = z
  .object({
    ...OwnerQuery.shape,
    ...TimeRangeQuery.shape,
    source_uuid: z.uuid().optional(),
    source_uuids: SourceUuids,
    process_uuid: z.uuid().optional(),
    class: z.string().min(1).max(100).optional().describe('A class as `class_name` has it, such as `person`.'),
    classes: queryList(ClassWord, 50).optional().describe('Comma-separated, up to 50: of any of these classes.'),
    color: z
      .string()
      .regex(/^[a-z]{1,20}$/, 'Write a colour as enhanced_data has it, such as red.')
      .optional()
      .describe('Of its paint, or of what a person wears, as the enhancement saw it.'),
    plate: z
      .string()
      .transform((text) => text.toUpperCase().replace(/[^A-Z0-9]/g, ''))
      .pipe(z.string().min(2, 'Write two letters or digits at least.').max(20))
      .optional()
      .describe('How the plate begins that the enhancement read; spaces and hyphens do not count.'),
    min_confidence: queryNumber(z.coerce.number().min(0).max(100).optional()).describe('Of `max_confidence`.'),
    min_seconds: queryNumber(z.coerce.number().min(0).max(86_400).optional()).describe(
      'How long it was seen, from first to last.',
    ),
    near: Near.optional().describe(
      `\`latitude,longitude,radius_m\`: tracks whose first or last known location is at most so many metres away (up to ${MAX_RADIUS_M}).`,
    ),
    patches: queryFlag
      .optional()
      .describe(`\`true\` adds the pictures; \`limit\` is ${MAX_WITH_PATCHES} at the most then.`),
    limit: PageQuery.shape.limit,
    cursor: z
      .string()
      .max(80)
      .regex(CURSOR, 'Take the cursor from the `Link` header of the page before, as it is.')
      .optional()
      .describe('From the `Link` header of the page before.'),
  })
  .superRefine(checkTimeRange)
  .superRefine(checkOneOfSources)
  .superRefine(({ patches, limit }, context) => {
    if (!patches || limit <= MAX_WITH_PATCHES) return
    const message = `With \`patches=true\` a page has at most ${MAX_WITH_PATCHES} tracks.`
    context.addIssue({ code: 'custom', path: ['limit'], message })
  })

export const FoundTrackRecord = z.strictObject({
  process_uuid: z.uuid(),
  source_uuid: z.uuid(),
  alias: z.string().nullable().describe('Of the source; null once it is removed.'),
  source_alias: z.string().nullable().describe('The same, as everywhere else.'),
  track_id: z.number().int(),
  class_id: z.number().int(),
  category_name: z.string().describe('The class that it was seen as most surely over its whole life.'),
  class_name: ClassName,
  max_confidence: percent.nullable().describe('Over its whole life; null for tracks of before an upgrade.'),
  ...trackSpanFields,
  enhanced_data: EnhancedDataRecord.nullable().describe('null before any enhancement.'),
  has_patch: z.boolean().describe('Whether there is a picture of it.'),
  image_patches: Patches.optional().describe('The best picture of it; only with `patches=true`.'),
})

export function toFoundTrackRecord(track: FoundTrack, hasPatches: boolean): z.infer<typeof FoundTrackRecord> {
  return {
    process_uuid: track.processId,
    source_uuid: track.sourceId,
    alias: track.alias,
    source_alias: track.alias,
    track_id: track.trackId,
    class_id: track.classId,
    category_name: track.className,
    class_name: track.className,
    max_confidence: track.maxConfidence,
    ...toTrackSpanFields(track),
    enhanced_data: track.enhanced,
    has_patch: track.patchRow !== null,
    ...(hasPatches && { image_patches: toPatches(track.patch) }),
  }
}
