import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceM, localAxesAt, moveBy, toEarthFrame, toGeoPoint } from './wgs84.ts'

const point = (latitudeDeg: number, longitudeDeg: number, altitudeM = 0) => ({ latitudeDeg, longitudeDeg, altitudeM })

test.each([
  { name: 'the equator at Greenwich', at: point(0, 0), x: 6_378_137, y: 0, z: 0 },
  { name: 'a height at longitude 90', at: point(0, 90, 1000), x: 0, y: 6_379_137, z: 0 },
  { name: 'the north pole', at: point(90, 0), x: 0, y: 0, z: 6_356_752.314245 },
  { name: 'the south pole, 10 m up', at: point(-90, 0, 10), x: 0, y: 0, z: -6_356_762.314245 },
])('$name lies where the axes of the ellipsoid say', ({ at, x, y, z }) => {
  const is = toEarthFrame(at)
  expect(is.x).toBeCloseTo(x, 6)
  expect(is.y).toBeCloseTo(y, 6)
  expect(is.z).toBeCloseTo(z, 6)
})

test('a place comes back from the frame of the Earth within a micrometre, poles and antimeridian included', () => {
  const places = fc.record({
    latitudeDeg: fc.double({ min: -90, max: 90, noNaN: true }),
    longitudeDeg: fc.double({ min: -180, max: 180, noNaN: true }),
    altitudeM: fc.double({ min: -500, max: 20_000, noNaN: true }),
  })
  fc.assert(
    fc.property(places, (place) => {
      const back = toGeoPoint(toEarthFrame(place))
      expect(distanceM(back, place)).toBeLessThan(1e-6)
      expect(back.altitudeM).toBeCloseTo(place.altitudeM, 6)
    }),
    { numRuns: 2000 },
  )
})

test('a degree of latitude is 110,574 m long at the equator and 111,694 m at the poles', () => {
  expect(distanceM(point(-0.5, 0), point(0.5, 0))).toBeCloseTo(110_574, -1)
  expect(distanceM(point(89.5, 0), point(89.5, 180)) / 111_694).toBeCloseTo(1, 4)
})

test('a step east over the antimeridian comes out at negative longitudes', () => {
  const { longitudeDeg } = moveBy(point(10, 179.9999), 100, 0)
  expect(longitudeDeg).toBeLessThan(-179.999)
  expect(longitudeDeg).toBeGreaterThan(-180)
})

test('up is away from the Earth, east and north lie across it', () => {
  const { east, north, up } = localAxesAt(45, 0)
  expect(east).toEqual({ x: -0, y: 1, z: 0 })
  expect(north.z).toBeCloseTo(Math.SQRT1_2, 12)
  expect(up.x).toBeCloseTo(Math.SQRT1_2, 12)
})
