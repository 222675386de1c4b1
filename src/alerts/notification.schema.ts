import { z } from 'zod'
import { DetectionTrack } from '../core/detection-track.ts'
import { type AlertType } from './alert.ts'

/** What the notifications of each type hold. */

const endReasons = [
  'process-ended',
  'alert-changed',
  'alert-deactivated',
  'source-interrupted',
  'service-stopping',
  'service-restart',
] as const
const reasonOr = (own: string) =>
  z.enum([own, ...endReasons]).describe(`\`${own}\`, or why it is over although nobody saw it end.`)

function notification<Event extends z.ZodObject>(type: AlertType, event: string, data: Event) {
  return z.object({
    alert_uuid: z.uuid(),
    alias: z.string(),
    type: z.literal(type),
    event: z.literal(event),
    process_uuid: z.uuid(),
    source_uuid: z.uuid(),
    timestamp: z.string().describe('When the frame was taken, UTC.'),
    detected_at: z
      .string()
      .optional()
      .describe('When the model was done with that frame, UTC; not where something is over that nobody saw end.'),
    sequence: z
      .number()
      .int()
      .describe('Counts up for each alert and process; the same number again is the same notification.'),
    data,
  })
}

const GridData = z.object({
  total_count: z.number().int(),
  highest_count: z.number().int().describe('In the fullest cell.'),
  rows: z.number().int().optional(),
  columns: z.number().int().optional(),
  grid: z.array(z.array(z.number().int())).optional().describe('Counts, row by row from the upper (or northern) edge.'),
  cell_meters: z.number().optional(),
  cells: z
    .array(z.object({ latitude: z.number(), longitude: z.number(), count: z.number().int() }))
    .optional()
    .describe('With cell_meters: the cells that anybody is in, by their middle; the fullest first.'),
})

const FlowCounts = z.object({
  window_seconds: z.number(),
  lines: z
    .array(z.object({ name: z.string(), left_to_right: z.number().int(), right_to_left: z.number().int() }))
    .describe('How often each line was crossed within the window.'),
})
const Crossing = FlowCounts.extend({
  line: z.string(),
  direction: z.enum(['left_to_right', 'right_to_left']),
  track: DetectionTrack,
})
const LineCounts = FlowCounts.extend({ line: z.string() })

const Target = z.object({
  track: DetectionTrack,
  azimuth: z
    .number()
    .nullable()
    .describe('Degrees from the optical axis, positive to the right; null without fields of view.'),
  elevation: z.number().nullable().describe('Degrees from the optical axis, positive up.'),
  offset: z
    .array(z.number())
    .length(2)
    .describe('Of the box’s middle from the picture’s, as fractions: −0.5 to 0.5, positive to the right and up.'),
})

const Found = z.object({
  tracks: z.array(
    DetectionTrack.extend({
      image: z
        .string()
        .nullable()
        .optional()
        .describe('With with_image: a JPEG in base64, or null when there is none.'),
    }),
  ),
  more: z.number().int().describe('How many more there were than could be kept until the cooldown was over.'),
})

export const notificationSchemas = {
  'grid-density': z.discriminatedUnion('event', [
    notification('grid-density', 'started', GridData),
    notification('grid-density', 'ended', GridData.extend({ reason: reasonOr('below-min-count') })),
  ]),
  'flow-control': z.discriminatedUnion('event', [
    notification('flow-control', 'crossed', Crossing),
    notification('flow-control', 'forbidden', Crossing),
    notification('flow-control', 'started', LineCounts),
    notification('flow-control', 'ended', LineCounts.extend({ reason: reasonOr('below-max-count') })),
  ]),
  'follow-track': z.discriminatedUnion('event', [
    notification('follow-track', 'acquired', Target),
    notification('follow-track', 'update', Target),
    notification('follow-track', 'lost', Target.extend({ reason: reasonOr('not-seen') })),
  ]),
  'filter-search': notification('filter-search', 'found', Found),
} as const satisfies Record<AlertType, z.ZodType>
