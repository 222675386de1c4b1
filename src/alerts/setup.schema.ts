import { z } from 'zod'
import { Filter } from './filter.schema.ts'
import { Outputs } from './output.schema.ts'
import { GeoPlace, PicturePoint, Region } from './region.schema.ts'

/** What an alert of each type is set up with: validation, documentation and `/alert_description` at once. */

const seconds = (max: number) => z.number().min(0).max(max)
const DAY = 86_400

const common = { region: Region, filter: Filter, output: Outputs }

export const GridDensity = z.strictObject({
  type: z.literal('grid-density'),
  trigger: z
    .strictObject({
      min_count: z.number().int().min(1).max(1000).default(3).describe('So many in one cell, or more.'),
      for_seconds: seconds(DAY).default(2).describe('For so long.'),
    })
    .prefault({}),
  parameters: z
    .strictObject({
      rows: z.number().int().min(1).max(64).optional().describe('Default 4.'),
      columns: z.number().int().min(1).max(64).optional().describe('Default 4.'),
      cell_meters: z
        .number()
        .min(1)
        .max(10_000)
        .optional()
        .describe('Instead of rows and columns: cells of so many metres that stay on the ground. Needs geolocation.'),
    })
    .superRefine(({ rows, columns, cell_meters: cell }, context) => {
      if (cell !== undefined && (rows !== undefined || columns !== undefined))
        context.addIssue({
          code: 'custom',
          path: ['cell_meters'],
          message: 'give either rows and columns or cell_meters',
        })
    })
    .prefault({}),
  ...common,
})

const Line = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    from: PicturePoint.optional(),
    to: PicturePoint.optional(),
    geo_from: GeoPlace.optional(),
    geo_to: GeoPlace.optional(),
  })
  .superRefine(({ from, to, geo_from: geoFrom, geo_to: geoTo }, context) => {
    const issue = (message: string) => context.addIssue({ code: 'custom', message })
    const isInPicture = from !== undefined && to !== undefined && !geoFrom && !geoTo
    const isOnGround = geoFrom !== undefined && geoTo !== undefined && !from && !to
    if (!isInPicture && !isOnGround)
      return issue(
        'must have either from and to (fractions of the picture) or geo_from and geo_to (latitude, longitude)',
      )
    const [begin, end] = isInPicture ? [from, to] : [geoFrom!, geoTo!]
    if (begin[0] === end[0] && begin[1] === end[1]) issue('begins where it ends; give two different points')
    if (isOnGround && (Math.abs(begin[0] - end[0]) > 1 || Math.max(Math.abs(begin[0]), Math.abs(end[0])) > 89))
      issue('must span at most one degree of latitude on the ground, and not at a pole')
  })
export type FlowLine = z.infer<typeof Line>

export const FlowControl = z.strictObject({
  type: z.literal('flow-control'),
  trigger: z
    .strictObject({
      window_seconds: z.number().min(1).max(DAY).default(60).describe('The time over which crossings are counted.'),
      max_count: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe('More crossings of one line than this within the window are told, and when they are no longer more.'),
      forbidden: z
        .enum(['left_to_right', 'right_to_left'])
        .optional()
        .describe('Every crossing in this direction is told; left and right as seen looking from `from` to `to`.'),
    })
    .prefault({})
    .describe('Without max_count and forbidden every crossing is told.'),
  parameters: z
    .strictObject({
      lines: z
        .array(Line)
        .min(1, 'must have at least one line')
        .max(16, 'must have at most 16 lines')
        .superRefine((lines, context) => {
          if (new Set(lines.map(({ name }) => name)).size < lines.length)
            context.addIssue({ code: 'custom', message: 'has two lines of the same name; give each its own' })
        }),
    })
    .prefault({ lines: [{ name: 'middle', from: [0.5, 1], to: [0.5, 0] }] })
    .describe('By default one line up through the middle of the picture.'),
  ...common,
})

export const FollowTrack = z.strictObject({
  type: z.literal('follow-track'),
  trigger: z
    .strictObject({
      interval_seconds: z.number().min(0.1).max(3600).default(1).describe('Between updates.'),
    })
    .prefault({}),
  parameters: z
    .strictObject({
      track_id: z.number().int().min(1).optional().describe('Only this one.'),
      select: z.enum(['first', 'largest', 'most_confident']).optional().describe('Whom to follow. Default: first.'),
    })
    .superRefine(({ track_id: id, select }, context) => {
      if (id !== undefined && select !== undefined)
        context.addIssue({ code: 'custom', path: ['select'], message: 'give either track_id or select' })
    })
    .prefault({}),
  ...common,
})

export const FilterSearch = z.strictObject({
  type: z.literal('filter-search'),
  trigger: z
    .strictObject({
      for_seconds: seconds(DAY).default(1).describe('A track must match for so long.'),
      cooldown_seconds: seconds(DAY)
        .default(0)
        .describe('At least so long between two notifications; what is found meanwhile is told together.'),
    })
    .prefault({}),
  parameters: z
    .strictObject({
      with_image: z.boolean().default(false).describe('A small JPEG of each track goes along.'),
    })
    .prefault({}),
  ...common,
})

export const setupSchemas = {
  'grid-density': GridDensity,
  'flow-control': FlowControl,
  'follow-track': FollowTrack,
  'filter-search': FilterSearch,
} as const

export const Setup = z.discriminatedUnion('type', [GridDensity, FlowControl, FollowTrack, FilterSearch])
export type Setup = z.infer<typeof Setup>
