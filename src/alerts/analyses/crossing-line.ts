import { createTrackMemory } from './track-memory.ts'

/** `left_to_right` is as seen from the line's beginning, looking to its end. */
export type Direction = 'left_to_right' | 'right_to_left'

/** A line in a plane whose x goes to the right and y down, as in pictures: where it begins, whereto it goes (a unit vector), and how far. */
export interface Line {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
  readonly length: number
}

export function lineBetween(fromX: number, fromY: number, toX: number, toY: number): Line {
  const length = Math.hypot(toX - fromX, toY - fromY)
  return { x: fromX, y: fromY, dx: (toX - fromX) / length, dy: (toY - fromY) / length, length }
}

/** How one track has moved about a line so far. */
interface Walk {
  /** The side where it was last for sure: 1 is right, −1 left, 0 not known yet. */
  side: -1 | 0 | 1
  /** Signed distance from the line, positive to the right, and how far along it. */
  across: number
  along: number
  /** Passages between the line's ends since it was last for sure on a side: those to the right less those to the left. */
  passages: number
  lastSeenMs: number
}

/**
 * Says when a track has gone across a line. It counts once it is farther behind the line than its box trembles, so that
 * somebody who stands on the line is counted once at most; a track that goes around an end is not counted.
 */
export function createCrossingLine() {
  const walks = createTrackMemory<Walk>()

  return {
    /** `margin`: how far behind the line is for sure. All in the same unit. */
    pass(id: number, line: Line, x: number, y: number, margin: number, nowMs: number): Direction | undefined {
      const across = line.dx * (y - line.y) - line.dy * (x - line.x)
      const along = line.dx * (x - line.x) + line.dy * (y - line.y)
      const side = across > margin ? 1 : across < -margin ? -1 : 0

      const walk = walks.get(id)
      if (!walk) {
        walks.set(id, { side, across, along, passages: 0, lastSeenMs: nowMs })
        return undefined
      }
      if (walk.across < 0 !== across < 0) {
        const share = walk.across / (walk.across - across)
        const passedAt = walk.along + share * (along - walk.along)
        if (passedAt >= 0 && passedAt <= line.length) walk.passages += across < 0 ? -1 : 1
      }
      walk.across = across
      walk.along = along
      walk.lastSeenMs = nowMs
      if (side === 0) return undefined

      const isAcross = walk.side === -side && walk.passages === side
      walk.side = side
      walk.passages = 0
      if (!isAcross) return undefined
      return side === 1 ? 'left_to_right' : 'right_to_left'
    },
    /** To be called at every scene. */
    forget: (nowMs: number): void => walks.forget(nowMs),
  }
}
