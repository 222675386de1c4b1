import { dot, moveBy, type Vector } from '../../core/wgs84.ts'
import { MAX_DISTANCE_M, MIN_GRAZING_SIN } from './ground-hit.ts'
import { along, type Hit, type Observer, toEarthDirection } from './observer.ts'
import { type Direction } from './orientation.ts'

/** Heights of the ground. */
export interface Terrain {
  /** Above mean sea level; undefined where it is not known. */
  groundHeightM(latitudeDeg: number, longitudeDeg: number): number | undefined
}

/** Of four samples: the upper left, the upper right, the lower left, and the lower right one. */
export type Corners = readonly [number, number, number, number]

/** The height between four samples, by the share of the way to the right and down. */
export function heightBetween([upperLeft, upperRight, lowerLeft, lowerRight]: Corners, fx: number, fy: number): number {
  const upper = upperLeft * (1 - fx) + upperRight * fx
  const lower = lowerLeft * (1 - fx) + lowerRight * fx
  return upper * (1 - fy) + lower * fy
}

/** Half a cell of the finest common grid: no hill is narrower in the data. Farther away, what matters is larger. */
const MIN_STEP_M = 15
const MIN_STEP_SHARE = 0.01
const TOLERANCE_M = 0.005

export interface TerrainHit extends Hit {
  /** Of the ground, as steep as it is within a step. */
  readonly normal: Direction
}
const MAX_ROUNDS = 60

/**
 * Where a line of sight meets the terrain first. It goes forward in steps that no slope up to 45° can hide in, then halves
 * the last one. Undefined when it meets nothing within reach, or leaves what is known; null when it meets the slope so flatly
 * that the place means nothing.
 */
export function meetTerrain(observer: Observer, sight: Direction, terrain: Terrain): TerrainHit | null | undefined {
  const direction = toEarthDirection(observer, sight)
  const clearanceAt = (hit: Hit) => clearanceOf(hit, terrain)
  let before = along(observer, direction, 0)
  let clearanceM = clearanceAt(before)
  if (clearanceM === undefined || clearanceM <= 0) return undefined
  const closing = closingRate(direction, observer)
  while (before.distanceM < MAX_DISTANCE_M) {
    const stepM = Math.max(MIN_STEP_M, MIN_STEP_SHARE * before.distanceM, clearanceM / closing)
    const next = along(observer, direction, before.distanceM + stepM)
    const nextClearanceM = clearanceAt(next)
    if (nextClearanceM === undefined) return undefined
    if (nextClearanceM <= 0) return refine(observer, sight, terrain, before.distanceM, next.distanceM)
    before = next
    clearanceM = nextClearanceM
  }
  return undefined
}

/** The most clearance that a metre along the line can take: what it sinks, and what the ground rises under it. */
function closingRate(direction: Vector, { axes }: Observer): number {
  const sinking = -dot(direction, axes.up)
  return Math.max(0, sinking) + Math.sqrt(Math.max(0, 1 - sinking * sinking)) + 1e-3
}

function refine(
  observer: Observer,
  sight: Direction,
  terrain: Terrain,
  aboveM: number,
  belowM: number,
): TerrainHit | null | undefined {
  const direction = toEarthDirection(observer, sight)
  let [near, far] = [aboveM, belowM]
  for (let round = 0; round < MAX_ROUNDS && far - near > TOLERANCE_M; round++) {
    const middle = (near + far) / 2
    const clearanceM = clearanceOf(along(observer, direction, middle), terrain)
    if (clearanceM === undefined) return undefined
    if (clearanceM > 0) near = middle
    else far = middle
  }
  const hit = along(observer, direction, (near + far) / 2)
  const normal = normalAt(hit, terrain)
  return isGrazing(sight, normal) ? null : { ...hit, normal }
}

/** Over distances at which the Earth's curve turns the vertical by less than what counts. */
function isGrazing(sight: Direction, normal: Direction): boolean {
  const length = Math.hypot(normal.east, normal.north, normal.up)
  const steepness = -(sight.east * normal.east + sight.north * normal.north + sight.up * normal.up) / length
  return !(steepness >= MIN_GRAZING_SIN)
}

function normalAt({ point }: Hit, terrain: Terrain): Direction {
  const heightAt = (eastM: number, northM: number): number => {
    const { latitudeDeg, longitudeDeg } = moveBy(point, eastM, northM)
    return terrain.groundHeightM(latitudeDeg, longitudeDeg) ?? point.altitudeM
  }
  return {
    east: (heightAt(-MIN_STEP_M, 0) - heightAt(MIN_STEP_M, 0)) / (2 * MIN_STEP_M),
    north: (heightAt(0, -MIN_STEP_M) - heightAt(0, MIN_STEP_M)) / (2 * MIN_STEP_M),
    up: 1,
  }
}

function clearanceOf({ point }: Hit, terrain: Terrain): number | undefined {
  const groundM = terrain.groundHeightM(point.latitudeDeg, point.longitudeDeg)
  return groundM === undefined ? undefined : point.altitudeM - groundM
}
