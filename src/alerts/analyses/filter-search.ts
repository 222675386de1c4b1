import { z } from 'zod'
import { DetectionTrack, toDetectionTrack } from '../../core/detection-track.ts'
import { type AlertKind, setupSchema } from './alert-kind.ts'
import { type Analysis, type AnalysisDeps, type Happening, nothing } from './analysis.ts'
import { exampleOutput } from './example-output.ts'
import { createMatcher } from './filter.ts'
import { FLICKER_MS } from './hold.ts'
import { createSceneTime, GAP_MS } from './scene-time.ts'
import { Seconds } from './seconds.schema.ts'
import { seenIn } from './seen-track.ts'

const setup = setupSchema('filter-search', {
  trigger: z
    .strictObject({
      for_seconds: Seconds.default(1).describe('A track must match for so long.'),
      cooldown_seconds: Seconds.default(0).describe(
        'At least so long between two notifications; what is found meanwhile is told together.',
      ),
    })
    .prefault({}),
  parameters: z
    .strictObject({
      with_image: z.boolean().default(false).describe('A small JPEG of each track goes along.'),
    })
    .prefault({}),
})
export type FilterSearchSetup = z.infer<typeof setup>

const FoundTrack = DetectionTrack.extend({
  image: z.string().nullable().optional().describe('With with_image: a JPEG in base64, or null when there is none.'),
})
type FoundTrack = z.infer<typeof FoundTrack>

export const filterSearch = {
  setup,
  events: {
    found: z.object({
      tracks: z.array(FoundTrack),
      more: z.number().int().describe('How many more there were than could be kept until the cooldown was over.'),
    }),
  },
  summary: 'A track that was looked for',
  description:
    'Tells each track once (`found`) that matches region and filter for `for_seconds`; what is found within `cooldown_seconds` of the last notification is told together afterwards.',
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

/** A track on its way to being told. */
interface Candidate {
  sinceMs: number
  lastMatchMs: number
  lastSeenMs: number
  isTold: boolean
}

/** A picture of a new track is made within its first second or two; longer nobody waits for it. */
const PICTURE_WITHIN_MS = 2_000
const FORGET_AFTER_MS = 10_000
const FORGET_EVERY_MS = 1_000
/** More than are seen within that time. */
const MAX_CANDIDATES = 2_000
/** In one notification; the others come with the next. */
const MAX_AT_ONCE = 20
/** What waits for a cooldown's end: of more it is only told how many there were. */
const MAX_WAITING = 200
/** Characters of pictures in one notification: with all of 20 large ones it would be too large to be sent. */
const MAX_IMAGES_AT_ONCE = 700_000
/** Characters of pictures that wait; who is found beyond them is told without one. */
const MAX_IMAGES_WAITING = 4_000_000

/** Tells each track once that matches for long enough; those that come during the cooldown together when it is over. */
function createFilterSearch(
  { trigger, parameters, region, filter }: FilterSearchSetup,
  { pictureOf }: AnalysisDeps,
): Analysis {
  const matches = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const [forMs, cooldownMs] = [trigger.for_seconds * 1000, trigger.cooldown_seconds * 1000]
  const candidates = new Map<number, Candidate>()
  const waiting: FoundTrack[] = []
  let moreWaiting = 0
  let imagesWaiting = 0
  /** Whether the process has any; not known until somebody was waited for. */
  let pictures: 'some' | 'none' | undefined
  let quietUntilMs = 0
  let beforeMs = 0
  let forgotMs = 0

  function isDue(id: number, candidate: Candidate, nowMs: number): boolean {
    const overMs = nowMs - candidate.sinceMs - forMs
    if (overMs < 0) return false
    if (!parameters.with_image || pictures === 'none') return true
    if (pictureOf(id) !== null) {
      pictures = 'some'
      return true
    }
    if (overMs < PICTURE_WITHIN_MS) return false
    // Where the first one is waited for in vain, the process keeps none: nobody else is told late for that.
    pictures ??= 'none'
    return true
  }

  function forget(nowMs: number): void {
    forgotMs = nowMs
    for (const [id, { lastSeenMs }] of candidates) {
      // Where nothing is tracked everything has the id 0: it is somebody new once nobody has matched for a while.
      const afterMs = id === 0 ? GAP_MS : FORGET_AFTER_MS
      if (candidates.size > MAX_CANDIDATES || nowMs - lastSeenMs > afterMs) candidates.delete(id)
    }
  }

  function add(track: DetectionTrack): void {
    if (!parameters.with_image) return void waiting.push(track)
    const picture = pictureOf(track.track_id)
    const hasRoom = imagesWaiting + (picture?.length ?? 0) <= MAX_IMAGES_WAITING
    const image = hasRoom ? picture : null
    imagesWaiting += image?.length ?? 0
    waiting.push({ ...track, image })
  }

  function tell(): Happening {
    const tracks = waiting.splice(0, fittingAtOnce(waiting))
    for (const { image } of tracks) imagesWaiting -= image?.length ?? 0
    const data = { tracks, more: moreWaiting }
    moreWaiting = 0
    return { event: 'found', data }
  }

  return {
    update(scene) {
      const { nowMs, isAfterGap } = timeOf(scene.takenAtMs)
      for (const seen of seenIn(scene)) {
        const { track } = seen
        const candidate = candidates.get(track.id)
        if (candidate?.isTold && track.id !== 0) {
          candidate.lastSeenMs = nowMs
          continue
        }
        const isMatch = matches(seen)
        if (candidate && (track.id !== 0 || isMatch)) candidate.lastSeenMs = nowMs
        if (!isMatch || candidate?.isTold) continue
        // At a low frame rate scenes are further apart than a detector flickers: only a scene without it counts.
        const isMissed = candidate && candidate.lastMatchMs < beforeMs && nowMs - candidate.lastMatchMs > FLICKER_MS
        if (!candidate || isAfterGap || isMissed) {
          candidates.set(track.id, { sinceMs: nowMs, lastMatchMs: nowMs, lastSeenMs: nowMs, isTold: false })
        } else candidate.lastMatchMs = nowMs
        const current = candidates.get(track.id)!
        if (!isDue(track.id, current, nowMs)) continue
        current.isTold = true
        if (waiting.length < MAX_WAITING) add(toDetectionTrack(track, scene.frame))
        else moreWaiting += 1
      }
      beforeMs = nowMs
      if (nowMs - forgotMs >= FORGET_EVERY_MS || candidates.size > MAX_CANDIDATES) forget(nowMs)
      if (waiting.length === 0 || nowMs < quietUntilMs) return nothing
      quietUntilMs = nowMs + cooldownMs
      return [tell()]
    },
    get unfinished() {
      return waiting.length + moreWaiting
    },
    end() {
      const happenings: Happening[] = []
      for (let left = waiting; left.length > 0; left = left.slice(fittingAtOnce(left))) {
        const more = happenings.length === 0 ? moreWaiting : 0
        happenings.push({ event: 'found', data: { tracks: left.slice(0, fittingAtOnce(left)), more } })
      }
      return happenings
    },
  }
}

/** How many of these go into one notification. */
function fittingAtOnce(tracks: readonly FoundTrack[]): number {
  let images = 0
  const overfull = tracks.findIndex(({ image }, index) => {
    images += image?.length ?? 0
    return index > 0 && (index >= MAX_AT_ONCE || images > MAX_IMAGES_AT_ONCE)
  })
  return overfull === -1 ? tracks.length : overfull
}
