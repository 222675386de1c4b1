import { expect, test } from 'vitest'
import { moveBy } from '../core/wgs84.ts'
import { boxAround, isWithin } from './circle.ts'

const centres = [
  [0, 0],
  [48.1, 11.5],
  [-33.9, 179.9999],
  [10, -180],
  [89.9999, 30],
  [-90, 0],
] as const

test.each(
  centres.flatMap(([latitude, longitude]) => [10, 1_000, 100_000].map((radiusM) => ({ latitude, longitude, radiusM }))),
)('the box around $latitude,$longitude,$radiusM holds the circle', (circle) => {
  const { south, north, longitudes } = boxAround(circle)
  const centre = { latitudeDeg: circle.latitude, longitudeDeg: circle.longitude, altitudeM: 0 }
  for (let degrees = 0; degrees < 360; degrees += 5) {
    const [east, northward] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
    // On the tangent: 100 km away the ground lies 800 m below it.
    const at = (share: number) => {
      const point = moveBy(centre, east * circle.radiusM * share, northward * circle.radiusM * share)
      return { latitude: point.latitudeDeg, longitude: point.longitudeDeg }
    }
    const inside = at(0.999)
    expect(isWithin(circle, inside)).toBe(true)
    expect(isWithin(circle, at(1.002))).toBe(false)
    expect(inside.latitude).toBeGreaterThanOrEqual(south)
    expect(inside.latitude).toBeLessThanOrEqual(north)
    expect(longitudes.some(([west, eastmost]) => inside.longitude >= west && inside.longitude <= eastmost)).toBe(true)
  }
})
