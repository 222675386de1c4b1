import { z } from 'zod'
import { processStates } from '../core/process-facts.ts'
import { checkTimeRange, OwnerQuery, queryNumber, TimeRangeQuery } from '../core/request-fields.ts'
import { STEP_SECONDS } from './steps.ts'

/** The wire's shape of a line of time. Places on it are seconds from its `from`. */

export const TimelineQuery = z
  .object({
    ...OwnerQuery.shape,
    process_uuid: z
      .uuid()
      .optional()
      .describe('Only what this process saw, and what alerts notified of at it; recordings are shown all the same.'),
    from: TimeRangeQuery.shape.from.describe('Default: 24 hours before `to`.'),
    to: TimeRangeQuery.shape.to.describe('Default: now. At most 31 days after `from`.'),
    step_seconds: queryNumber(
      z.coerce
        .number()
        .refine((seconds) => STEP_SECONDS.includes(seconds as never), `Take one of ${STEP_SECONDS.join(', ')}.`)
        .optional(),
    ).describe(
      `One of ${STEP_SECONDS.join(', ')}; less than 60 for at most an hour. Default: the shortest that makes at most 744 steps.`,
    ),
  })
  .superRefine(checkTimeRange)

const place = z.tuple([z.number(), z.number()])
const counts = z.array(z.number().int()).describe('In each step.')

const TimelineAlert = z.object({
  event_uuid: z.uuid(),
  alert_uuid: z.uuid(),
  alias: z.string(),
  type: z.string(),
  event: z.string().describe('As in the notification: `started`, `found`, …'),
  at: z.string(),
  process_uuid: z.uuid(),
})

export const Timeline = z.object({
  source_uuid: z.uuid(),
  alias: z.string(),
  from: z.string().describe('What was asked for, from the beginning of a step.'),
  to: z.string().describe('To the end of a step.'),
  step_seconds: z.number().int(),
  recorded: z
    .array(place)
    .nullable()
    .describe(
      '[start, duration] in seconds; of more than 1,000 those that follow each other within half a step are one. null without the right to watch.',
    ),
  recorded_seconds: z.number().nullable(),
  gaps: z.array(place).nullable().describe('[start, duration] in seconds of what was missed in between.'),
  classes: z
    .array(
      z.object({
        class_name: z.string(),
        tracks: z.number().int().describe('Different ones; without tracking the most at once.'),
        counts,
      }),
    )
    .nullable()
    .describe('What processes saw, the most frequent first. null without the right to events.'),
  alerts: z
    .object({
      count: z.number().int(),
      counts,
      events: z.array(TimelineAlert).describe('The newest 100, the newest first.'),
    })
    .nullable()
    .describe('What alerts notified of.'),
  processes: z
    .array(
      z.object({
        process_uuid: z.uuid(),
        states: z.array(z.tuple([z.number(), z.enum(processStates)])).describe('[since, state].'),
      }),
    )
    .nullable()
    .describe('Those that went on in this time, at most 50, with at most 500 changes of state.'),
})
export type Timeline = z.infer<typeof Timeline>
