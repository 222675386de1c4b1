import { type Size } from '../../core/detection.ts'
import { centreOf } from './box.ts'
import { type Point } from './corners.ts'
import { type LiveTrack } from './live-track.ts'

export interface ReidentifyRules {
  /** See `TrackerOptions`. */
  readonly reidentifyDistance: number
  /** Tracks as confident as this are sure of what they are. */
  readonly sureConfidence: number
  readonly nowMs: number
  /** Undefined where nobody knows how large it is. */
  readonly picture: Size | undefined
}

/** What turns up is at most so many times as large as what was lost, or as small. */
const MAX_GROWTH = 2
/** Nothing is identified again farther away than this part of the picture's longer side, however large it is. */
const MAX_DISTANCE = 0.25
/** What was seen last at most so many sizes from the picture's border, and went there, has left. */
const NEAR_BORDER = 2
/** Part of a track's votes with which its class is beyond doubt. */
const SURE_SHARE = 0.8

/**
 * The known track that was lost before `heir` began, near to it (`reidentifyDistance` sizes, and as many more for each second in between); none where
 * another known one is as near, since then it is anyone's guess, nor where it left the picture or was clearly something else.
 */
export function findLost(heir: LiveTrack, tracks: readonly LiveTrack[], rules: ReidentifyRules): LiveTrack | undefined {
  const near = tracks.filter((track) => track.id > 0 && isNear(heir, track, rules))
  const [lost] = near
  if (!lost || near.length > 1 || lost.seenMs >= heir.bornMs) return undefined
  if (hasLeft(lost, heir, rules) || isOtherThing(heir, lost, rules)) return undefined
  const growth = heir.filter.size / lost.filter.size
  return growth <= MAX_GROWTH && growth >= 1 / MAX_GROWTH ? lost : undefined
}

function isNear(
  { firstPlace, bornMs, filter }: LiveTrack,
  track: LiveTrack,
  { reidentifyDistance, picture }: ReidentifyRules,
): boolean {
  const gapSeconds = Math.max(0, bornMs - track.seenMs) / 1000
  const reach = reidentifyDistance * (1 + gapSeconds) * Math.max(filter.size, track.filter.size)
  const bound = picture ? MAX_DISTANCE * Math.max(picture.width, picture.height) : Infinity
  // It may have stayed, gone on as expected, or anything in between.
  return distanceToWay(firstPlace, track.lastPlace, centreOf(track.expected)) <= Math.min(reach, bound)
}

/** Seen last near the border, and beyond when the other began. From farther inside it may have turned: the way is only a guess. */
function hasLeft(
  { expected, lastPlace, seenMs, filter }: LiveTrack,
  { bornMs }: LiveTrack,
  { picture, nowMs }: ReidentifyRules,
): boolean {
  if (!picture) return false
  const now = centreOf(expected)
  const share = (bornMs - seenMs) / (nowMs - seenMs)
  const goes = { x: lastPlace.x + share * (now.x - lastPlace.x), y: lastPlace.y + share * (now.y - lastPlace.y) }
  const margin = NEAR_BORDER * filter.size
  return (
    (goes.x < 0 && lastPlace.x < margin) ||
    (goes.y < 0 && lastPlace.y < margin) ||
    (goes.x > picture.width && lastPlace.x > picture.width - margin) ||
    (goes.y > picture.height && lastPlace.y > picture.height - margin)
  )
}

/** Names of single pictures are often wrong: only two tracks that are sure of theirs contradict each other. */
function isOtherThing(heir: LiveTrack, lost: LiveTrack, { sureConfidence }: ReidentifyRules): boolean {
  const isSure = ({ vote, typicalConfidence }: LiveTrack) =>
    typicalConfidence >= sureConfidence && vote.shareOf(vote.classId) >= SURE_SHARE
  return heir.vote.classId !== lost.vote.classId && isSure(heir) && isSure(lost)
}

function distanceToWay(point: Point, from: Point, to: Point): number {
  const [wayX, wayY] = [to.x - from.x, to.y - from.y]
  const along = ((point.x - from.x) * wayX + (point.y - from.y) * wayY) / (wayX ** 2 + wayY ** 2 || 1)
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * wayX, point.y - from.y - share * wayY)
}
