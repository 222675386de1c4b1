import { z } from 'zod'
import { DetectionTrack, toDetectionTrack } from '../../core/detection-track.ts'
import { rounded } from '../../core/numbers.ts'
import { type Scene } from '../../core/scene.ts'
import { type AlertKind, exampleOutput, setupSchema } from './alert-kind.ts'
import { type AlertEvent, type Analysis, type EndReason, EndReasonOr, nothing } from './analysis.ts'
import { createMatcher } from './filter.ts'
import { createSceneTime, GAP_MS } from './scene-time.ts'
import { seenIn, type SeenTrack } from './seen-track.ts'

const setup = setupSchema('follow-track', {
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
})
export type FollowTrackSetup = z.infer<typeof setup>

const TargetData = z.object({
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

export const followTrack = {
  setup,
  events: {
    acquired: TargetData,
    update: TargetData,
    lost: TargetData.extend({ reason: EndReasonOr('not-seen') }),
  },
  summary: 'One track, from moment to moment',
  description:
    'Follows one track and tells where it is, so that a gimbal can be steered by it: `acquired`, `update` every `interval_seconds`, `lost`.',
  example: {
    alias: 'follow the largest boat',
    type: 'follow-track',
    trigger: { interval_seconds: 0.5 },
    filter: { classes: ['boat'] },
    parameters: { select: 'largest' },
    output: [exampleOutput],
  },
  needsPlaces: () => false,
  needsTracking: true,
  needsPictures: () => false,
  create: createFollowTrack,
} satisfies AlertKind<typeof setup>

interface Target {
  readonly id: number
  readonly acquiredAtMs: number
  lastSeenMs: number
  nextUpdateMs: number
  data: Readonly<Record<string, unknown>>
}

/**
 * Follows one track and reports where it is, so that a gimbal can be steered by it. Region and filter say who may be
 * followed; once acquired, a track is followed wherever it goes, until it has not been seen for as long as ids last.
 */
function createFollowTrack({ trigger, region, filter, parameters }: FollowTrackSetup): Analysis {
  const mayFollow = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const intervalMs = trigger.interval_seconds * 1000
  const { track_id: wantedId, select = 'first' } = parameters
  let target: Target | undefined

  const isBetter = ({ track: one }: SeenTrack, { track: other }: SeenTrack): boolean => {
    switch (select) {
      case 'first':
        return one.id < other.id
      case 'largest':
        return one.box.width * one.box.height > other.box.width * other.box.height
      case 'most_confident':
        return one.confidence > other.confidence
    }
  }

  function choose(scene: Scene): SeenTrack | undefined {
    let best: SeenTrack | undefined
    for (const seen of seenIn(scene)) {
      const { id } = seen.track
      // Without tracking there is nobody to follow.
      if (id === 0 || (wantedId !== undefined && id !== wantedId) || !mayFollow(seen)) continue
      if (!best || isBetter(seen, best)) best = seen
    }
    return best
  }

  function toLost(reason: EndReason | 'not-seen'): AlertEvent {
    const { id, acquiredAtMs, data } = target!
    return { event: 'lost', data: { ...data, reason }, trackId: id, startedAtMs: acquiredAtMs }
  }

  function lose(reason: EndReason | 'not-seen'): AlertEvent {
    const lost = toLost(reason)
    target = undefined
    return lost
  }

  function follow(scene: Scene, nowMs: number): AlertEvent | undefined {
    const seen = seenIn(scene).find(({ track }) => track.id === target!.id)
    if (!seen) return nowMs - target!.lastSeenMs >= GAP_MS ? lose('not-seen') : undefined
    target!.lastSeenMs = nowMs
    target!.data = toData(seen, scene)
    if (nowMs < target!.nextUpdateMs) return undefined
    // Evenly spaced, unless more than one is overdue.
    target!.nextUpdateMs += intervalMs
    if (target!.nextUpdateMs <= nowMs) target!.nextUpdateMs = nowMs + intervalMs
    return { event: 'update', data: target!.data }
  }

  function acquire(scene: Scene, nowMs: number): AlertEvent | undefined {
    const seen = choose(scene)
    if (!seen) return undefined
    const data = toData(seen, scene)
    const { id } = seen.track
    target = { id, acquiredAtMs: scene.takenAtMs, lastSeenMs: nowMs, nextUpdateMs: nowMs + intervalMs, data }
    return { event: 'acquired', data, trackId: id }
  }

  return {
    update(scene) {
      const { nowMs, isAfterGap } = timeOf(scene.takenAtMs)
      const events: AlertEvent[] = []
      // A clock that was set back says nothing of how long nothing was seen.
      if (target && isAfterGap && !seenIn(scene).some(({ track }) => track.id === target!.id))
        events.push(lose('not-seen'))
      if (target) events.push(...toArray(follow(scene, nowMs)))
      if (!target) events.push(...toArray(acquire(scene, nowMs)))
      return events.length > 0 ? events : nothing
    },
    get unfinished() {
      return target ? 1 : 0
    },
    end: (reason) => (target ? [{ ...toLost(reason), endOf: String(target.acquiredAtMs) }] : nothing),
    interrupt: () => (target ? [lose('source-interrupted')] : nothing),
  }
}

const toArray = <T>(one: T | undefined): T[] => (one === undefined ? [] : [one])

function toData({ track }: SeenTrack, { frame }: Scene): Readonly<Record<string, unknown>> {
  const { box, location } = track
  return {
    track: toDetectionTrack(track, frame),
    azimuth: location ? rounded(location.azimuthDeg, 4) : null,
    elevation: location ? rounded(location.elevationDeg, 4) : null,
    // Of the box's middle from the picture's, for clients without fields of view: −0.5…0.5, positive to the right and up.
    offset: [
      rounded((box.x + box.width / 2) / frame.width - 0.5, 5),
      rounded(0.5 - (box.y + box.height / 2) / frame.height, 5),
    ],
  }
}
