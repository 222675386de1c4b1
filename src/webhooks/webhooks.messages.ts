import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { DetectionTrack, toDetectionTrack } from '../core/detection-track.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { type MinutesLow, minutesLowFields, toMinutesLowFields } from '../core/minutes.ts'
import { rounded } from '../core/numbers.ts'
import { type Scene, type SceneTrack } from '../core/scene.ts'
import { type NotificationFormat } from './subscription.ts'

/** What is posted to subscribers. */

const timestamp = z.string().describe('`YYYY-MM-DD HH:MM:SS.ffff`, UTC; of the latest thing that is told.')
const process_uuid = z.uuid()
const occurred_at = z.string().describe('The same as `timestamp`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`.')

const link = z.url().nullable().optional()
const trackLinks = {
  picture_url: link.describe(
    'A link to the best picture of the track, which works without a key for as long as AERIE_NOTIFICATION_LINK_HOURS says and ends with the key. null without a track report, and where nothing is tracked.',
  ),
  clip_url: link.describe(
    'A link to an MP4 of the track, likewise, made when it is opened: 202 with `Retry-After` until it is there. null also where nothing is recorded, as of files.',
  ),
}

export const SimpleDetection = z
  .object({
    topLeftX: z.number(),
    topLeftY: z.number(),
    height: z.number(),
    width: z.number(),
    id: z.number().int().describe('Never used twice in a process; 0 when tracking is off.'),
    class: z.number().int().describe('The number of the class in the model’s list.'),
    track_id: z.number().int().describe('The same as `id`, by the name that it has everywhere else.'),
    class_id: z.number().int().describe('The same as `class`, likewise.'),
    ...trackLinks,
  })
  .describe('A box in pixels of the input.')
const detections = z
  .array(z.union([SimpleDetection, DetectionTrack.extend(trackLinks)]))
  .describe('Simple boxes, or with the format `full` whole tracks as in detection_data.')

export const NewTracksNotification = z.object({
  process_uuid,
  timestamp,
  occurred_at,
  type: z.literal('new-tracks'),
  track_count: z.number().int().describe('How many new tracks this notification tells.'),
  detections,
})
export const TargetCountNotification = z.object({
  process_uuid,
  timestamp,
  occurred_at,
  type: z.literal('target-count'),
  previous_count: z.number().int().describe('As the notification before told it.'),
  track_count: z.number().int().describe('How many targets there are now.'),
  detections,
  changes: z
    .array(z.object({ timestamp: z.string(), track_count: z.number().int() }))
    .describe('Every change since the notification before.'),
})
export const ProcessStateNotification = z.object({
  process_uuid,
  timestamp,
  occurred_at,
  type: z.literal('process-state'),
  state: z.string(),
  previous_state: z.string(),
  reason: z.string().nullable().describe('Why it ended, or what is wrong.'),
  changes: z
    .array(z.object({ timestamp: z.string(), state: z.string(), reason: z.string().nullable() }))
    .describe('Every change since the notification before.'),
})
export const MinutesLowNotification = z.object({
  process_uuid,
  timestamp,
  occurred_at,
  type: z.literal('minutes-low'),
  ...minutesLowFields,
})
export const Notification = z.discriminatedUnion('type', [
  NewTracksNotification,
  TargetCountNotification,
  ProcessStateNotification,
  MinutesLowNotification,
])
export type Notification = z.infer<typeof Notification>

interface Frame {
  readonly processId: string
  readonly scene: Scene
  readonly format: NotificationFormat
}

export function newTracksNotification(
  { processId, scene, format }: Frame,
  tracks: readonly SceneTrack[],
): Notification {
  return {
    process_uuid: processId,
    ...whenOf(scene.takenAtMs),
    type: 'new-tracks',
    track_count: tracks.length,
    detections: tracks.map((track) => toEntry(track, scene, format)),
  }
}

export function targetCountNotification({ processId, scene, format }: Frame, previousCount: number): Notification {
  const at = toTimestamp(scene.takenAtMs)
  return {
    process_uuid: processId,
    ...whenOf(scene.takenAtMs),
    type: 'target-count',
    previous_count: previousCount,
    track_count: scene.tracks.length,
    detections: scene.tracks.map((track) => toEntry(track, scene, format)),
    changes: [{ timestamp: at, track_count: scene.tracks.length }],
  }
}

type StateChange = Pick<ProcessStateChange, 'processId' | 'state' | 'previousState' | 'reason'>

export function processStateNotification(
  { processId, state, previousState, reason }: StateChange,
  atMs: number,
): Notification {
  const at = toTimestamp(atMs)
  return {
    process_uuid: processId,
    ...whenOf(atMs),
    type: 'process-state',
    state,
    previous_state: previousState,
    reason,
    changes: [{ timestamp: at, state, reason }],
  }
}

export function minutesLowNotification(processId: string, low: MinutesLow, atMs: number): Notification {
  return {
    process_uuid: processId,
    ...whenOf(atMs),
    type: 'minutes-low',
    ...toMinutesLowFields(low),
  }
}

/** Two notifications of one subscription as one that has all of both. */
export function join(earlier: Notification, later: Notification): Notification {
  if (earlier.type === 'new-tracks' && later.type === 'new-tracks')
    return {
      ...later,
      track_count: earlier.track_count + later.track_count,
      detections: [...earlier.detections, ...later.detections],
    }
  if (earlier.type === 'target-count' && later.type === 'target-count')
    return { ...later, previous_count: earlier.previous_count, changes: [...earlier.changes, ...later.changes] }
  if (earlier.type === 'process-state' && later.type === 'process-state')
    return { ...later, previous_state: earlier.previous_state, changes: [...earlier.changes, ...later.changes] }
  if (earlier.type === 'minutes-low' && later.type === 'minutes-low') return later
  throw new Error(`A notification of ${earlier.type} cannot hold ${later.type}.`)
}

/** What `join` has put together, as two: the first `count` of what is in it, which are fewer than all, and the others. */
export function split(whole: Notification, count: number): readonly [Notification, Notification] {
  if (whole.type === 'minutes-low') return [whole, whole]
  if (whole.type === 'new-tracks') {
    const [first, others] = [whole.detections.slice(0, count), whole.detections.slice(count)]
    return [
      { ...whole, track_count: first.length, detections: first },
      { ...whole, track_count: others.length, detections: others },
    ]
  }
  const { timestamp } = whole.changes[count - 1]!
  const when = { timestamp, occurred_at: `${timestamp.slice(0, 23).replace(' ', 'T')}Z` }
  if (whole.type === 'target-count') {
    const { track_count } = whole.changes[count - 1]!
    return [
      { ...whole, ...when, track_count, changes: whole.changes.slice(0, count) },
      { ...whole, previous_count: track_count, changes: whole.changes.slice(count) },
    ]
  }
  const { state, reason } = whole.changes[count - 1]!
  return [
    { ...whole, ...when, state, reason, changes: whole.changes.slice(0, count) },
    { ...whole, previous_state: state, changes: whole.changes.slice(count) },
  ]
}

/** How much is in it; what grows while it is gathered. */
export function lengthOf(notification: Notification): number {
  if (notification.type === 'minutes-low') return 1
  return notification.type === 'new-tracks' ? notification.detections.length : notification.changes.length
}

/** In the interface's form, and in that of every other record. */
function whenOf(ms: number) {
  return { timestamp: toTimestamp(ms), occurred_at: toZulu(ms) }
}

/** `2026-11-15 08:30:00.1230`: the form of the interface, with four digits behind the second. */
export function toTimestamp(ms: number): string {
  return `${toZulu(ms).slice(0, 23).replace('T', ' ')}0`
}

function toEntry(track: SceneTrack, { frame }: Scene, format: NotificationFormat): z.infer<typeof detections>[number] {
  if (format === 'full') return toDetectionTrack(track, frame)
  const { x, y, width, height } = track.box
  return {
    topLeftX: rounded(x, 2),
    topLeftY: rounded(y, 2),
    height: rounded(height, 2),
    width: rounded(width, 2),
    id: track.id,
    class: track.classId,
    track_id: track.id,
    class_id: track.classId,
  }
}
