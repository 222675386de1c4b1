import { toHeading, radiansPerDegree } from '../../core/angle.ts'
import { dot, localAxesAt, type Vector } from '../../core/wgs84.ts'
import { type GeoPoint } from '../../core/geo-point.ts'
import { type PositionSource } from '../../core/scene.ts'

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
const windowMs = 2_000
const leastSpanMs = 500
/** At 30 frames a second that is the whole window; faster streams have a shorter one. */
const mostPoints = 64
const mostTracks = 1_000
/** Below this nobody walks. */
const standingMps = 0.2
/** Points farther from the line than so many times the usual are left out. */
const outlierFactor = 3

interface Past {
  /** Points found by different means do not lie on one line. */
  readonly source: PositionSource
  readonly times: number[]
  readonly points: Vector[]
}

/** Speeds of tracks over ground: the slope of a straight line through the last points, found again without those that lie far off. */
export function createTrackMotion(): TrackMotion {
  /** In the order of their last update, so that the longest unseen come first. */
  const pasts = new Map<number, Past>()

  function pastOf(id: number, timeMs: number, source: PositionSource): Past {
    const known = pasts.get(id)
    pasts.delete(id)
    // Time that runs back is a new beginning.
    const goesOn = known?.source === source && known.times.at(-1)! < timeMs
    const past: Past = goesOn ? known : { source, times: [], points: [] }
    pasts.set(id, past)
    for (const oldest of pasts.keys()) {
      if (pasts.size <= mostTracks && Math.abs(timeMs - (pasts.get(oldest)!.times.at(-1) ?? timeMs)) <= windowMs) break
      if (oldest !== id) pasts.delete(oldest)
    }
    return past
  }

  return {
    update(id, timeMs, point, earth, source) {
      const past = pastOf(id, timeMs, source)
      past.times.push(timeMs)
      past.points.push(earth)
      while (past.times[0]! < timeMs - windowMs || past.times.length > mostPoints) {
        past.times.shift()
        past.points.shift()
      }
      if (timeMs - past.times[0]! < leastSpanMs || past.times.length < 3) return undefined
      return motionOf(past, point)
    },
  }
}

function motionOf({ times, points }: Past, at: GeoPoint): GroundMotion {
  const { east, north } = localAxesAt(at.latitudeDeg, at.longitudeDeg)
  const [last, lastMs] = [points.at(-1)!, times.at(-1)!]
  const seconds = times.map((ms) => (ms - lastMs) / 1000)
  const offsets = points.map(({ x, y, z }) => ({ x: x - last.x, y: y - last.y, z: z - last.z }))
  const easts = offsets.map((offset) => dot(offset, east))
  const norths = offsets.map((offset) => dot(offset, north))
  const weights = new Array<number>(times.length).fill(1)
  let lineE = fitLine(seconds, easts, weights)
  let lineN = fitLine(seconds, norths, weights)
  const residuals = seconds.map((t, i) => Math.hypot(easts[i]! - lineE.at(t), norths[i]! - lineN.at(t)))
  const limit = outlierFactor * [...residuals].sort((a, b) => a - b)[residuals.length >> 1]!
  if (residuals.some((residual) => residual > limit)) {
    residuals.forEach((residual, i) => (weights[i] = residual > limit ? 0 : 1))
    lineE = fitLine(seconds, easts, weights)
    lineN = fitLine(seconds, norths, weights)
  }
  const speedMps = Math.hypot(lineE.slope, lineN.slope)
  const doubtMps = Math.hypot(lineE.slopeError, lineN.slopeError)
  if (speedMps < Math.max(standingMps, doubtMps)) return { speedMps }
  return { speedMps, courseDeg: toHeading(Math.atan2(lineE.slope, lineN.slope) / radiansPerDegree) }
}

/** Weighted least squares of a straight line. */
function fitLine(xs: readonly number[], ys: readonly number[], weights: readonly number[]) {
  let [total, sumX, sumY] = [0, 0, 0]
  for (let i = 0; i < xs.length; i++) {
    total += weights[i]!
    sumX += weights[i]! * xs[i]!
    sumY += weights[i]! * ys[i]!
  }
  const [meanX, meanY] = [sumX / total, sumY / total]
  let [xx, xy, yy] = [0, 0, 0]
  for (let i = 0; i < xs.length; i++) {
    const [dx, dy] = [xs[i]! - meanX, ys[i]! - meanY]
    xx += weights[i]! * dx * dx
    xy += weights[i]! * dx * dy
    yy += weights[i]! * dy * dy
  }
  const slope = xx > 0 ? xy / xx : 0
  const slopeError = xx > 0 && total > 2 ? Math.sqrt(Math.max(0, yy - slope * xy) / (total - 2) / xx) : Infinity
  return { slope, slopeError, at: (x: number) => meanY + slope * (x - meanX) }
}
