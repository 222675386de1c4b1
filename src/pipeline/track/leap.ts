import { type Box } from './box.ts'
import { type LiveTrack } from './live-track.ts'

/** What turns up is at most so many times as large as what was lost, or as small. */
const mostGrowth = 2

/**
 * The known track that was lost before `heir` began, near to it (`leap` sizes, and as many more for each second in between); none where
 * another known one is as near, since then it is anyone's guess.
 */
export function findLost(heir: LiveTrack, tracks: readonly LiveTrack[], leap: number): LiveTrack | undefined {
  const near = tracks.filter((track) => track.id > 0 && isNear(heir, track, leap))
  const [lost] = near
  if (!lost || near.length > 1 || lost.seenMs >= heir.bornMs) return undefined
  const growth = heir.filter.size / lost.filter.size
  return growth <= mostGrowth && growth >= 1 / mostGrowth ? lost : undefined
}

function isNear({ firstBox, bornMs, filter }: LiveTrack, track: LiveTrack, leap: number): boolean {
  const gapSeconds = Math.max(0, bornMs - track.seenMs) / 1000
  const reach = leap * (1 + gapSeconds) * Math.max(filter.size, track.filter.size)
  // It may have stayed, gone on as expected, or anything in between.
  return distanceToWay(centreOf(firstBox), centreOf(track.seen.box), centreOf(track.expected)) <= reach
}

interface Point {
  readonly x: number
  readonly y: number
}

function distanceToWay(point: Point, from: Point, to: Point): number {
  const [wayX, wayY] = [to.x - from.x, to.y - from.y]
  const along = ((point.x - from.x) * wayX + (point.y - from.y) * wayY) / (wayX ** 2 + wayY ** 2 || 1)
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * wayX, point.y - from.y - share * wayY)
}

function centreOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}
