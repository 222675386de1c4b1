import { z } from 'zod'
import { DetectionTrack, toDetectionTrack } from '../../core/detection-track.ts'
import { type Scene, type SceneTrack } from '../../core/scene.ts'
import { type AlertKind, exampleOutput, setupSchema } from './alert-kind.ts'
import { type AlertEvent, type Analysis, type AnalysisDeps, nothing } from './analysis.ts'
import { CooldownSeconds } from './cooldown.ts'
import { createMatcher } from './filter.ts'
import { createFoundTracks, toFoundEvents } from './found-tracks.ts'
import { FLICKER_MS } from './hold.ts'
import { isQuiet } from './last-notification.ts'
import { createPictureWait } from './picture-wait.ts'
import { createSceneTime, GAP_MS } from './scene-time.ts'
import { Seconds } from './seconds.schema.ts'
import { seenIn } from './seen-track.ts'
import { createTrackMemory, FORGET_AFTER_MS } from './track-memory.ts'

const setup = setupSchema('filter-search', {
  trigger: z
    .strictObject({
      for_seconds: Seconds.default(1).describe('A track must match for so long.'),
      cooldown_seconds: CooldownSeconds,
    })
    .prefault({}),
  parameters: z
    .strictObject({
      with_image: z
        .boolean()
        .default(false)
        .describe('A small JPEG of each track goes along, and one of the whole picture with its box.'),
    })
    .prefault({}),
})
export type FilterSearchSetup = z.infer<typeof setup>

const FoundTrack = DetectionTrack.extend({
  timestamp: z.string().describe('When the frame was taken in which it was found, UTC.'),
  image: z.string().nullable().optional().describe('With with_image: a JPEG in base64, or null when there is none.'),
  scene_image: z
    .string()
    .nullable()
    .optional()
    .describe('With with_image: the whole picture with its box, long side at most 640; a JPEG in base64, or null.'),
})

export const filterSearch = {
  setup,
  events: {
    found: z.object({
      tracks: z.array(FoundTrack),
      more: z
        .number()
        .int()
        .describe('Always 0: what is found is told, before the cooldown is over if it is too much to keep.'),
    }),
  },
  summary: 'A track that was looked for',
  description:
    'Tells each track once (`found`) that matches region and filter for `for_seconds`; what is found within `cooldown_seconds` after a notification is told together in the next one.',
  example: {
    alias: 'somebody by the fence',
    type: 'filter-search',
    trigger: { for_seconds: 1, cooldown_seconds: 30 },
    filter: { classes: ['person'], min_height_px: 40 },
    parameters: { with_image: true },
    output: [exampleOutput, { type: 'webhook', config: { url: 'https://example.org/alerts' } }],
  },
  needsPlaces: () => false,
  needsTracking: true,
  needsPictures: ({ parameters }) => parameters.with_image,
  create: createFilterSearch,
} satisfies AlertKind<typeof setup>

/** A track that may be reported as found. */
interface Candidate {
  sinceMs: number
  lastMatchMs: number
  lastSeenMs: number
  isReported: boolean
}

/** Reports each track once that matches for long enough; those found during a cooldown together when it is over. */
function createFilterSearch({ trigger, parameters, region, filter }: FilterSearchSetup, deps: AnalysisDeps): Analysis {
  const matches = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const [forMs, cooldownMs] = [trigger.for_seconds * 1000, trigger.cooldown_seconds * 1000]
  // Where nothing is tracked everything has the id 0: it is somebody new once nobody has matched for a while.
  const candidates = createTrackMemory<Candidate>((trackId) => (trackId === 0 ? GAP_MS : FORGET_AFTER_MS))
  const awaited = createPictureWait(deps)
  const found = createFoundTracks()
  let beforeMs = 0
  /** Of the last scene. */
  let lastTakenAtMs = 0

  function add(track: SceneTrack, { frame, takenAtMs, detectedAtMs }: Scene, nowMs: number): void {
    const one = { track: toDetectionTrack(track, frame), seenAt: { takenAtMs, detectedAtMs } }
    if (parameters.with_image) awaited.add(one, nowMs)
    else found.add(one)
  }

  function release(): readonly AlertEvent[] {
    if (found.list.length === 0) return nothing
    deps.lastNotification.note(lastTakenAtMs)
    const events = toFoundEvents(found.list)
    found.clear()
    return events
  }

  return {
    update(scene) {
      const { nowMs, isAfterGap } = timeOf(scene.takenAtMs)
      let newest: SceneTrack | undefined
      for (const seen of seenIn(scene)) {
        const { track } = seen
        const candidate = candidates.get(track.id)
        if (candidate?.isReported && track.id !== 0) {
          candidate.lastSeenMs = nowMs
          continue
        }
        const isMatch = matches(seen)
        if (candidate && (track.id !== 0 || isMatch)) candidate.lastSeenMs = nowMs
        if (!isMatch || candidate?.isReported) continue
        // At a low frame rate scenes are further apart than a detector flickers: only a scene without it counts.
        const isMissed = candidate && candidate.lastMatchMs < beforeMs && nowMs - candidate.lastMatchMs > FLICKER_MS
        if (!candidate || isAfterGap || isMissed) {
          candidates.set(track.id, { sinceMs: nowMs, lastMatchMs: nowMs, lastSeenMs: nowMs, isReported: false })
        } else candidate.lastMatchMs = nowMs
        const current = candidates.get(track.id)!
        if (nowMs - current.sinceMs < forMs) continue
        current.isReported = true
        add(track, scene, nowMs)
        newest = track
      }
      // What is told together shows its newest track. By the time at which it is sent, the frame may be gone.
      if (newest) deps.sceneOf(newest.id || null, scene.takenAtMs)
      beforeMs = nowMs
      lastTakenAtMs = scene.takenAtMs
      candidates.forget(nowMs)
      for (const one of awaited.takeReady(nowMs)) found.add(one)
      const oldestMs = found.list[0]?.seenAt.takenAtMs
      const mustWait = isQuiet(deps.lastNotification, cooldownMs, lastTakenAtMs, oldestMs)
      return mustWait && !found.isFull ? nothing : release()
    },
    get unfinished() {
      return found.list.length + awaited.length
    },
    end: () => toFoundEvents([...found.list, ...awaited.list()]),
    /** Nobody knows when the next scene comes: what waits does not wait for it. */
    interrupt() {
      for (const one of awaited.list()) found.add(one)
      awaited.clear()
      return release()
    },
  }
}
