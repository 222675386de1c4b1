import { z } from 'zod'
import { DetectionTrack, toDetectionTrack } from '../../core/detection-track.ts'
import { type AlertKind, exampleOutput, setupSchema } from './alert-kind.ts'
import { type AlertEvent, type Analysis, type EndReason, EndReasonOr, nothing } from './analysis.ts'
import { type CooldownDeps, CooldownSeconds, withCooldown } from './cooldown.ts'
import { type Direction } from './crossing-line.ts'
import { createMatcher } from './filter.ts'
import { createFlowCounter } from './flow-counter.ts'
import { createWatchedLine, FlowLine } from './flow-line.ts'
import { createHold } from './hold.ts'
import { createSceneTime } from './scene-time.ts'
import { MAX_SECONDS } from './seconds.schema.ts'
import { seenIn } from './seen-track.ts'

const setup = setupSchema('flow-control', {
  trigger: z
    .strictObject({
      window_seconds: z
        .number()
        .min(1)
        .max(MAX_SECONDS)
        .default(60)
        .describe('The time over which crossings are counted.'),
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
      cooldown_seconds: CooldownSeconds,
    })
    .prefault({})
    .describe('Without max_count and forbidden every crossing is told.'),
  parameters: z
    .strictObject({
      lines: z
        .array(FlowLine)
        .min(1, 'must have at least one line')
        .max(16, 'must have at most 16 lines')
        .superRefine((lines, context) => {
          if (new Set(lines.map(({ name }) => name)).size < lines.length)
            context.addIssue({ code: 'custom', message: 'has two lines of the same name; give each its own' })
        }),
    })
    .prefault({ lines: [{ name: 'middle', from: [0.5, 1], to: [0.5, 0] }] })
    .describe('By default one line up through the middle of the picture.'),
})
export type FlowControlSetup = z.infer<typeof setup>

const Counts = z.object({
  window_seconds: z.number(),
  lines: z
    .array(z.object({ name: z.string(), left_to_right: z.number().int(), right_to_left: z.number().int() }))
    .describe('How often each line was crossed within the window.'),
})
const Crossing = Counts.extend({
  line: z.string(),
  direction: z.enum(['left_to_right', 'right_to_left']),
  track: DetectionTrack,
})
const LineCounts = Counts.extend({ line: z.string() })

export const flowControl = {
  setup,
  events: {
    crossed: Crossing,
    forbidden: Crossing,
    started: LineCounts,
    ended: LineCounts.extend({ reason: EndReasonOr('below-max-count') }),
  },
  summary: 'Lines that are crossed',
  description:
    'Counts who crosses lines. Tells each crossing in a `forbidden` direction (`forbidden`); when a line is crossed more than `max_count` times within `window_seconds` (`started`) and when it no longer is (`ended`); with neither, every crossing (`crossed`). What happens within `cooldown_seconds` after a notification comes with the next one (`earlier`).',
  example: {
    alias: 'wrong way at the gate',
    type: 'flow-control',
    trigger: { window_seconds: 60, forbidden: 'right_to_left' },
    filter: { classes: ['car', 'truck'] },
    parameters: { lines: [{ name: 'gate', geo_from: [51.44165, -0.94551], geo_to: [51.44171, -0.94538] }] },
    output: [exampleOutput],
  },
  needsPlaces: ({ parameters }) => parameters.lines.some((line) => line.geo_from !== undefined),
  needsTracking: true,
  needsPictures: () => false,
  create: (setup, deps: CooldownDeps) => withCooldown(createFlowControl(setup), setup.trigger.cooldown_seconds, deps),
} satisfies AlertKind<typeof setup>

/**
 * Counts who crosses lines. With `forbidden` it reports every crossing in that direction, with `max_count` when a line is
 * crossed more often than that within the window and when it no longer is; with neither, every crossing.
 */
function createFlowControl({ trigger, region, filter, parameters }: FlowControlSetup): Analysis {
  const { window_seconds: windowSeconds, max_count: maxCount, forbidden } = trigger
  const counts = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const lines = parameters.lines.map((line) => ({
    name: line.name,
    watched: createWatchedLine(line),
    counter: createFlowCounter(windowSeconds * 1000),
    hold: createHold(0),
    startedAtMs: 0,
  }))

  const toCounts = () => ({
    window_seconds: windowSeconds,
    lines: lines.map(({ name, counter }) => ({ name, ...counter.toCounts() })),
  })
  const isReported = (direction: Direction) =>
    forbidden === direction || (forbidden === undefined && maxCount === undefined)
  const toEnded = (
    { name, startedAtMs }: (typeof lines)[number],
    reason: EndReason | 'below-max-count',
  ): AlertEvent => ({
    event: 'ended',
    data: { line: name, reason, ...toCounts() },
    startedAtMs,
  })

  return {
    update(scene) {
      const moment = timeOf(scene.takenAtMs)
      let events: AlertEvent[] | undefined
      for (const { counter } of lines) counter.moveTo(moment.nowMs)
      for (const seen of seenIn(scene)) {
        // Without tracking nobody knows who went where.
        if (seen.track.id === 0 || !counts(seen)) continue
        for (const { name, watched, counter } of lines) {
          const direction = watched.pass(seen, scene, moment)
          if (!direction) continue
          counter.add(direction, moment.nowMs)
          if (!isReported(direction)) continue
          const event = forbidden ? 'forbidden' : 'crossed'
          const track = toDetectionTrack(seen.track, scene.frame)
          const data = { line: name, direction, track, ...toCounts() }
          ;(events ??= []).push({ event, data, trackId: seen.track.id })
        }
      }
      if (maxCount !== undefined)
        for (const line of lines) {
          const change = line.hold.update(line.counter.total > maxCount, moment)
          if (change === 'ended') (events ??= []).push(toEnded(line, 'below-max-count'))
          if (change !== 'started') continue
          line.startedAtMs = scene.takenAtMs
          ;(events ??= []).push({ event: change, data: { line: line.name, ...toCounts() } })
        }
      for (const { watched } of lines) watched.forget(moment.nowMs)
      return events ?? nothing
    },
    get unfinished() {
      return lines.reduce((sum, { hold }) => sum + (hold.isOn ? 1 : 0), 0)
    },
    end: (reason) =>
      lines.flatMap((line) =>
        line.hold.isOn ? [{ ...toEnded(line, reason), endOf: `${line.hold.onSinceMs} ${line.name}` }] : [],
      ),
  }
}
