import { type OverlayTrack } from './overlay-track.ts'

/** Where an object came from: points on the ground in input pixels, the oldest first. */
export interface Trail {
  readonly id: number
  readonly className: string
  readonly points: readonly TrailPoint[]
}

export interface TrailPoint extends Point {
  /** 0 (now) to 1 (about to be forgotten). */
  readonly age: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** One for all resolutions of a process. */
export interface Trails {
  /** Notes where the tracks are, and answers all trails, valid until the next call; those of lost tracks fade. */
  update(timeMs: number, tracks: readonly OverlayTrack[]): Trail[]
  /** Moves what was noted along with the picture, when the camera moved. */
  carry(move: (point: Point) => Point): void
}

interface Path {
  readonly id: number
  readonly className: string
  /** The oldest first. Changed in place: there are many, and each picture ages them all. */
  readonly noted: { x: number; y: number; age: number; readonly timeMs: number }[]
}

const KEEP_MS = 3_000
const NOTE_EVERY_MS = 100
/** In heights of the box: what stands still trembles, and should not scribble. */
const MIN_STEP = 0.04
const MAX_TRAILS = 100

export function createTrails(): Trails {
  const paths = new Map<number, Path>()
  let newestMs = -Infinity

  function note({ id, className, box }: OverlayTrack, timeMs: number): Point {
    const foot = { x: box.x + box.width / 2, y: box.y + box.height }
    const path = paths.get(id) ?? { id, className, noted: [] }
    paths.set(id, path)
    const last = path.noted.at(-1)
    const isDue = !last || timeMs - last.timeMs >= NOTE_EVERY_MS
    const hasMoved = !last || Math.hypot(foot.x - last.x, foot.y - last.y) >= MIN_STEP * box.height
    if (isDue && hasMoved) path.noted.push({ ...foot, age: 0, timeMs })
    return foot
  }

  function growOlder(timeMs: number): void {
    for (const [id, { noted }] of paths) {
      while (noted.length > 0 && timeMs - noted[0]!.timeMs >= KEEP_MS) noted.shift()
      for (const point of noted) point.age = (timeMs - point.timeMs) / KEEP_MS
      if (noted.length === 0) paths.delete(id)
    }
  }

  return {
    update(timeMs, tracks) {
      // Time that runs back is another video.
      if (timeMs < newestMs) paths.clear()
      newestMs = timeMs
      growOlder(timeMs)
      const heads = new Map<number, Point>()
      for (const track of tracks) {
        const isKnown = paths.has(track.id) || paths.size < MAX_TRAILS
        if (track.id > 0 && isKnown) heads.set(track.id, note(track, timeMs))
      }
      return Array.from(paths.values(), ({ id, className, noted }) => {
        const head = heads.get(id)
        return { id, className, points: head ? [...noted, { ...head, age: 0 }] : noted }
      })
    },
    carry(move) {
      for (const { noted } of paths.values()) for (const point of noted) Object.assign(point, move(point))
    },
  }
}
