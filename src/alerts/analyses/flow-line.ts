import { z } from 'zod'
import { radiansPerDegree } from '../../core/numbers.ts'
import { type Scene } from '../../core/scene.ts'
import { SEMI_MAJOR_AXIS_M } from '../../core/wgs84.ts'
import { GeoPlace, PicturePoint } from '../region.schema.ts'
import { createCrossingLine, type Direction, lineBetween } from './crossing-line.ts'
import { longitudeNear } from './longitude.ts'
import { type Moment } from './scene-time.ts'
import { type SeenTrack } from './seen-track.ts'

export const FlowLine = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    from: PicturePoint.optional(),
    to: PicturePoint.optional(),
    geo_from: GeoPlace.optional(),
    geo_to: GeoPlace.optional(),
  })
  .superRefine(({ from, to, geo_from: geoFrom, geo_to: geoTo }, context) => {
    const issue = (message: string) => context.addIssue({ code: 'custom', message })
    const isInPicture = from !== undefined && to !== undefined && !geoFrom && !geoTo
    const isOnGround = geoFrom !== undefined && geoTo !== undefined && !from && !to
    if (!isInPicture && !isOnGround)
      return issue(
        'must have either from and to (fractions of the picture) or geo_from and geo_to (latitude, longitude)',
      )
    const [begin, end] = isInPicture ? [from, to] : [geoFrom!, geoTo!]
    if (begin[0] === end[0] && begin[1] === end[1]) issue('begins where it ends; give two different points')
    if (isOnGround && (Math.abs(begin[0] - end[0]) > 1 || Math.max(Math.abs(begin[0]), Math.abs(end[0])) > 89))
      issue('must span at most one degree of latitude on the ground, and not at a pole')
  })
type FlowLine = z.infer<typeof FlowLine>

/** A line of a flow-control alert: in the picture, or on the ground. */
export interface WatchedLine {
  pass(seen: SeenTrack, scene: Scene, moment: Moment): Direction | undefined
  forget(nowMs: number): void
}

export function createWatchedLine({ from, to, geo_from: geoFrom, geo_to: geoTo }: FlowLine): WatchedLine {
  return from && to ? pictureLine(from, to) : groundLine(geoFrom!, geoTo!)
}

type Pair = readonly [number, number]

/** A box trembles by a share of its size, and by at least so much of the picture's height. */
const TREMBLE_OF_BOX = 0.15
const TREMBLE_OF_PICTURE = 0.005

/** Lengths are in heights of the picture, so that a change of resolution changes nothing. */
function pictureLine(from: Pair, to: Pair): WatchedLine {
  const crossing = createCrossingLine()
  let aspect = 0
  let line = lineBetween(0, 0, 1, 0)
  return {
    pass({ track: { id, box }, x, y }, { frame: { width, height } }, { nowMs }) {
      if (width / height !== aspect) {
        aspect = width / height
        line = lineBetween(from[0] * aspect, from[1], to[0] * aspect, to[1])
      }
      const margin = Math.max(TREMBLE_OF_PICTURE, (TREMBLE_OF_BOX * Math.sqrt(box.width * box.height)) / height)
      return crossing.pass(id, line, x * aspect, y, margin, nowMs)
    },
    forget: (nowMs) => crossing.forget(nowMs),
  }
}

/** Places tremble by less than they may be wrong as a whole. */
const TREMBLE_OF_ERROR = 0.5
const [MIN_TREMBLE_M, MAX_TREMBLE_M] = [0.5, 3]

/** Lengths are in metres on a plane that touches the Earth in the middle of the line; y is to the south, as it is down in pictures. */
function groundLine(from: Pair, to: Pair): WatchedLine {
  const crossing = createCrossingLine()
  const middleLatitude = (from[0] + to[0]) / 2
  const southM = -SEMI_MAJOR_AXIS_M * radiansPerDegree
  const eastM = SEMI_MAJOR_AXIS_M * radiansPerDegree * Math.cos(middleLatitude * radiansPerDegree)
  const toX = (longitudeNear(to[1], from[1]) - from[1]) * eastM
  const line = lineBetween(0, 0, toX, (to[0] - from[0]) * southM)
  return {
    pass({ track, point }, _scene, { nowMs }) {
      if (!point) return undefined
      const x = (longitudeNear(point.longitudeDeg, from[1]) - from[1]) * eastM
      const y = (point.latitudeDeg - from[0]) * southM
      const error = (track.location?.errorM ?? 0) * TREMBLE_OF_ERROR
      const margin = Math.min(MAX_TREMBLE_M, Math.max(MIN_TREMBLE_M, error))
      return crossing.pass(track.id, line, x, y, margin, nowMs)
    },
    forget: (nowMs) => crossing.forget(nowMs),
  }
}
