import { type GeoPoint } from '../../core/geo-point.ts'
import { radiansPerDegree, toHeading } from '../../core/numbers.ts'
import { type PositionSource } from '../../core/scene.ts'
import { localAxesAt, type Vector } from '../../core/wgs84.ts'
import { createLineFit } from './line-fit.ts'

export interface GroundMotion {
  readonly speedMps: number
  /** Not for something that stands, or seems to move only because its points jitter. */
  readonly courseDeg?: number
}

export interface TrackMotion {
  /** Takes up where a track is, and says how it moves; nothing before it was seen for half a second. */
  update(id: number, timeMs: number, point: GeoPoint, earth: Vector, source: PositionSource): GroundMotion | undefined
}

/** A straight line is put through this much of a track's past: longer is calmer, and later. */
const WINDOW_MS = 2_000
const MIN_SPAN_MS = 500
/** More points a second cost time and add nothing. */
const MIN_SPACING_MS = 90
const MAX_POINTS = 24
const MAX_TRACKS = 1_000
/** Below this nobody walks. */
const STANDING_MPS = 0.2

interface Past {
  /** Points found by different means do not lie on one line. */
  readonly source: PositionSource
  readonly times: number[]
  readonly points: Vector[]
  seenMs: number
  motion: GroundMotion | undefined
}

/** Speeds of tracks over ground: the slope of a straight line through their last points. */
export function createTrackMotion(): TrackMotion {
  /** In the order of their last update, so that the longest unseen come first. */
  const pasts = new Map<number, Past>()
  const fit = createLineFit(MAX_POINTS)

  function pastOf(id: number, timeMs: number, source: PositionSource): Past {
    const known = pasts.get(id)
    pasts.delete(id)
    // Time that runs back is a new beginning, and so is an absence that leaves nothing of the window.
    const goesOn = known?.source === source && known.seenMs < timeMs && timeMs - known.seenMs < WINDOW_MS
    const past: Past = goesOn ? known : { source, times: [], points: [], seenMs: timeMs, motion: undefined }
    past.seenMs = timeMs
    pasts.set(id, past)
    for (const [oldest, { seenMs }] of pasts) {
      if (pasts.size <= MAX_TRACKS && Math.abs(timeMs - seenMs) <= WINDOW_MS) break
      pasts.delete(oldest)
    }
    return past
  }

  function motionOf({ times, points }: Past, at: GeoPoint): GroundMotion {
    const { east, north } = localAxesAt(at.latitudeDeg, at.longitudeDeg)
    const last = points.at(-1)!
    const lastMs = times.at(-1)!
    fit.clear()
    for (let i = 0; i < times.length; i++) {
      const point = points[i]!
      const x = point.x - last.x
      const y = point.y - last.y
      const northM = north.x * x + north.y * y + north.z * (point.z - last.z)
      fit.add((times[i]! - lastMs) / 1000, east.x * x + east.y * y, northM)
    }
    const { slopeX, slopeY, slopeError } = fit.solve()
    const speedMps = Math.sqrt(slopeX * slopeX + slopeY * slopeY)
    if (speedMps < Math.max(STANDING_MPS, slopeError)) return { speedMps }
    return { speedMps, courseDeg: toHeading(Math.atan2(slopeX, slopeY) / radiansPerDegree) }
  }

  return {
    update(id, timeMs, point, earth, source) {
      const past = pastOf(id, timeMs, source)
      const { times, points } = past
      if (timeMs - (times.at(-1) ?? -Infinity) < MIN_SPACING_MS) return past.motion
      times.push(timeMs)
      points.push(earth)
      while (times[0]! < timeMs - WINDOW_MS || times.length > MAX_POINTS) {
        times.shift()
        points.shift()
      }
      const isEnough = timeMs - times[0]! >= MIN_SPAN_MS && times.length >= 3
      past.motion = isEnough ? motionOf(past, point) : undefined
      return past.motion
    },
  }
}
