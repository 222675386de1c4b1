import { type OverlayTrack } from './overlay-track.ts'

/** Where an object came from: points on the ground in input pixels, the oldest first. */
export interface Trail {
  readonly id: number
  readonly className: string
  readonly points: readonly TrailPoint[]
}

export interface TrailPoint {
  readonly x: number
  readonly y: number
  /** 0 (now) to 1 (about to be forgotten). */
  readonly age: number
}

/** One for all resolutions of a process. */
export interface Trails {
  /** Notes where the tracks are, and answers all trails at that time; those of lost tracks fade. */
  update(timeMs: number, tracks: readonly OverlayTrack[]): Trail[]
  /** Moves what was noted along with the picture, when the camera moved. */
  carry(move: (point: { readonly x: number; readonly y: number }) => { readonly x: number; readonly y: number }): void
}

interface Path {
  readonly id: number
  readonly className: string
  noted: { readonly x: number; readonly y: number; readonly timeMs: number }[]
}

const keepMs = 3_000
const noteEveryMs = 100
/** In heights of the box: what stands still trembles, and should not scribble. */
const leastStep = 0.04
const mostTrails = 100

export function createTrails(): Trails {
  const paths = new Map<number, Path>()
  let newestMs = -Infinity

  function note({ id, className, box }: OverlayTrack, timeMs: number): { x: number; y: number } {
    const foot = { x: box.x + box.width / 2, y: box.y + box.height }
    const path = paths.get(id) ?? { id, className, noted: [] }
    paths.set(id, path)
    const last = path.noted.at(-1)
    const isDue = !last || timeMs - last.timeMs >= noteEveryMs
    const hasMoved = !last || Math.hypot(foot.x - last.x, foot.y - last.y) >= leastStep * box.height
    if (isDue && hasMoved) path.noted.push({ ...foot, timeMs })
    return foot
  }

  function forget(timeMs: number): void {
    for (const [id, path] of paths) {
      path.noted = path.noted.filter((point) => timeMs - point.timeMs < keepMs)
      if (path.noted.length === 0) paths.delete(id)
    }
  }

  return {
    update(timeMs, tracks) {
      // Time that runs back is another video.
      if (timeMs < newestMs) paths.clear()
      newestMs = timeMs
      forget(timeMs)
      const heads = new Map<number, { x: number; y: number }>()
      for (const track of tracks) {
        const isKnown = paths.has(track.id) || paths.size < mostTrails
        if (track.id > 0 && isKnown) heads.set(track.id, note(track, timeMs))
      }
      return Array.from(paths.values(), ({ id, className, noted }) => {
        const points = noted.map(({ x, y, timeMs: thenMs }) => ({ x, y, age: (timeMs - thenMs) / keepMs }))
        const head = heads.get(id)
        return { id, className, points: head ? [...points, { ...head, age: 0 }] : points }
      })
    },
    carry(move) {
      for (const path of paths.values()) {
        path.noted = path.noted.map(({ x, y, timeMs }) => ({ ...move({ x, y }), timeMs }))
      }
    },
  }
}
