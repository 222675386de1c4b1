import { z } from 'zod'
import { type AlertKind, exampleOutput, setupSchema } from './alert-kind.ts'
import { type AlertEvent, type Analysis, type EndReason, EndReasonOr, nothing } from './analysis.ts'
import { type CooldownDeps, CooldownSeconds, withCooldown } from './cooldown.ts'
import { createMatcher } from './filter.ts'
import { createGroundGrid, createRasterGrid } from './grid.ts'
import { createHold } from './hold.ts'
import { createSceneTime } from './scene-time.ts'
import { Seconds } from './seconds.schema.ts'
import { seenIn } from './seen-track.ts'

const setup = setupSchema('grid-density', {
  trigger: z
    .strictObject({
      min_count: z.number().int().min(1).max(1000).default(3).describe('So many in one cell, or more.'),
      for_seconds: Seconds.default(2).describe('For so long.'),
      cooldown_seconds: CooldownSeconds,
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
})

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

export const gridDensity = {
  setup,
  events: { started: GridData, ended: GridData.extend({ reason: EndReasonOr('below-min-count') }) },
  summary: 'Where many stand',
  description:
    'Tells when at least `min_count` are in one cell of a grid for `for_seconds` (`started`), and when they no longer are (`ended`), each time with the whole grid. What changes within `cooldown_seconds` after a notification comes with the next one (`earlier`).',
  example: {
    alias: 'crowd in the yard',
    type: 'grid-density',
    trigger: { min_count: 5, for_seconds: 3 },
    region: { type: 'polygon', points: [[0, 0.4], [1, 0.4], [1, 1], [0, 1]] }, // prettier-ignore
    filter: { classes: ['person'], min_confidence: 50 },
    parameters: { rows: 4, columns: 6 },
    output: [exampleOutput],
  },
  needsPlaces: ({ parameters }) => parameters.cell_meters !== undefined,
  needsTracking: false,
  needsPictures: () => false,
  create: (setup, deps: CooldownDeps) => withCooldown(createGridDensity(setup), setup.trigger.cooldown_seconds, deps),
} satisfies AlertKind<typeof setup>

/** Reports when too many are in one cell of a grid, and when they no longer are. */
function createGridDensity({ trigger, region, filter, parameters }: z.infer<typeof setup>): Analysis {
  const { rows = 4, columns = 4, cell_meters: cellMetres } = parameters
  const grid = cellMetres === undefined ? createRasterGrid(rows, columns, region) : createGroundGrid(cellMetres)
  const counts = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const hold = createHold(trigger.for_seconds * 1000)
  let total = 0
  /** In the fullest cell. */
  let highest = 0
  let startedAtMs = 0

  const toEvent = (event: 'started' | 'ended', reason?: EndReason): AlertEvent => ({
    event,
    data: {
      total_count: total,
      highest_count: highest,
      ...grid.toFields(),
      ...(event === 'ended' && { reason: reason ?? 'below-min-count' }),
    },
    ...(event === 'ended' && { startedAtMs }),
  })

  return {
    update(scene) {
      grid.clear()
      total = highest = 0
      for (const seen of seenIn(scene)) {
        if (!counts(seen)) continue
        highest = Math.max(highest, grid.add(seen))
        total += 1
      }
      const change = hold.update(highest >= trigger.min_count, timeOf(scene.takenAtMs))
      if (change === 'started') startedAtMs = scene.takenAtMs
      return change ? [toEvent(change)] : nothing
    },
    get unfinished() {
      return hold.isOn ? 1 : 0
    },
    end: (reason) => (hold.isOn ? [{ ...toEvent('ended', reason), endOf: String(hold.onSinceMs) }] : nothing),
  }
}
